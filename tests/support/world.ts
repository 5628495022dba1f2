import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Attachment } from '../../src/attachments/schema'
import { boardInvitations, users } from '../../src/db/tables'
import { appRouter } from '../../src/site/router'
import type { Browser } from './browser'
import type { Server } from './databases'
import { attach } from './files'
import type { People, Person } from './people'

/** Bob attached the file; the time is Ada's. */
export type Given = People & {
  olga: Person
  task: { id: number }
  comment: { id: number }
  file: Attachment
  entry: { id: number }
  invitationId: number
}

/** A board as each finds it. */
export async function newWorld(server: Pick<Server, 'db' | 'clear' | 'people'>): Promise<Given> {
  await server.clear()
  const people = await server.people()
  const olga = await people.person('olga')
  await server.db.update(users).set({ operator: true }).where(eq(users.id, olga.id))
  const task = await people.ada.api.tasks.create.mutate({ boardId: people.board.id, title: 'Dig' })
  await people.ada.api.tasks.assign.mutate({ taskId: task.id, userId: people.bob.id })
  const comment = await people.ada.api.comments.create.mutate({ taskId: task.id, content: 'Where?' })
  const file = await attach(people.bob, task.id)
  const invitationId = await invitedTo(server, people)
  await people.ada.api.time.create.mutate({ taskId: task.id, duration: 30 })
  const entry = await people.ada.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
  return { ...people, olga, task, comment, file, entry, invitationId }
}

async function invitedTo({ db }: Pick<Server, 'db'>, { ada, board }: People): Promise<number> {
  const facts = { token: crypto.randomUUID(), boardId: board.id, email: 'new@example.com', invitedBy: ada.id }
  const [row] = await db
    .insert(boardInvitations)
    .values({ ...facts, expiresAt: new Date(Date.now() + 60_000) })
    .returning()
  if (!row) throw new Error('the new invitation was not returned')
  return row.id
}

type Described = { _def: { type: 'query' | 'mutation'; inputs: z.ZodType[] } }

/** By their whole names, which the router's type does not know. */
export const procedures = appRouter._def.procedures as unknown as Record<string, Described>

/** Puts the input where the call takes it: into the path, and the rest into the query or the body. */
export function ask(
  browser: Browser,
  { method, path }: { method: string; path: string },
  input: Record<string, unknown>,
  form?: FormData,
  headers?: Record<string, string>,
) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => String(input[name]))
  if (method !== 'GET') return browser.http(method, filled, form ?? input, headers)
  const rest = Object.entries(input).filter(([name]) => !path.includes(`:${name}`))
  const query = new URLSearchParams(rest.map(([name, value]) => [name, String(value)] as [string, string]))
  return browser.http(method, rest.length > 0 ? `${filled}?${query}` : filled, undefined, headers)
}

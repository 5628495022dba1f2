import { expect } from 'bun:test'
import { z } from 'zod'
import type { Browser } from './browser'

const WORKERS = 6

/** Has several do something again and again, and kills who does it for them once it was done so often; until it is not. */
export async function workUntilKilled(enough: number, kill: () => void, isDone: () => Promise<boolean>): Promise<void> {
  let done = 0
  const workers = Array.from({ length: WORKERS }, async () => {
    while (await isDone()) if (++done === enough) kill()
  })
  await Promise.all(workers)
}

const list = z.array(z.object({ id: z.number(), title: z.string() }))

/** Tasks whose creation was acknowledged, by their ids. */
export type Acknowledged = Map<number, string>

/** Creates one; how that was answered, if it was. */
export async function create(ada: Browser, boardId: number, acknowledged: Acknowledged, description?: string) {
  const title = crypto.randomUUID()
  const answer = await ada.http('POST', `/api/boards/${boardId}/tasks`, { title, description }).catch(() => null)
  if (answer?.status === 201) acknowledged.set(z.object({ id: z.number() }).parse(answer.body).id, title)
  return answer?.status
}

export async function expectKept(ada: Browser, boardId: number, acknowledged: Acknowledged) {
  const tasks = list.parse((await ada.http('GET', `/api/boards/${boardId}/tasks`)).body)
  const kept = new Map(tasks.map(({ id, title }) => [id, title]))
  expect([...acknowledged].filter(([id, title]) => kept.get(id) !== title)).toEqual([])
}

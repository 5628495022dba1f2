import { ownAddress } from '../browser'
import { formWith, PNG } from '../files'
import { PASSWORD } from '../people'
import type { Known } from './values'

export type Attacker = { username: string; cookie: string; address: string }
export type World = { people: (Attacker | null)[]; known: Known }

type Made = { id: number; [field: string]: unknown }
let people = 0

const newcomer = () => ({ username: `p${people++}x${crypto.randomUUID().slice(0, 8)}`, cookie: '', address: ownAddress() })

/** A plain call; answers the body, and keeps the session that it starts. */
export async function call(origin: string, who: Attacker, method: string, path: string, given?: object) {
  const isForm = given instanceof FormData
  const answer = await fetch(origin + path, {
    method,
    headers: {
      cookie: who.cookie,
      'x-forwarded-for': who.address,
      ...(given && !isForm && { 'content-type': 'application/json' }),
    },
    ...(given && { body: isForm ? given : JSON.stringify(given) }),
  })
  const session = answer.headers.getSetCookie().find((one) => one.startsWith('session='))
  if (session) who.cookie = session.split(';')[0] ?? ''
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  // What it made has an id, and what else is asked for here.
  return (await answer.json()) as Made
}

export async function settle(origin: string): Promise<Attacker & Made> {
  const who = newcomer()
  const account = { username: who.username, email: `${who.username}@example.com`, password: PASSWORD }
  const user = await call(origin, who, 'POST', '/api/auth/register', account)
  return Object.assign(who, user)
}

/** A board with one of everything on it, all of whose words hold `word`. */
export async function furnish(origin: string, who: Attacker, word: string) {
  const board = await call(origin, who, 'POST', '/api/boards', { name: `Garden ${word}`, description: word })
  const task = await call(origin, who, 'POST', `/api/boards/${board.id}/tasks`, { title: word, description: word, tags: [word] })
  const comment = await call(origin, who, 'POST', `/api/tasks/${task.id}/comments`, { content: word })
  const entry = await call(origin, who, 'POST', '/api/time-entries', { taskId: task.id, duration: 5, note: word })
  const file = await call(origin, who, 'POST', `/api/attachments/${task.id}`, formWith(PNG, `${word}.png`))
  return {
    boardId: board.id,
    taskId: task.id,
    commentId: comment.id,
    entryId: entry.id,
    attachmentId: file.id,
    ':name': String(file.filename),
  }
}

/** A creator with a member, and a stranger with a board of their own. `sealed` are ids that none of them may ever reach. */
export async function createWorld(origin: string, sealed: Known, tokens: string[]): Promise<World> {
  const [creator, member, stranger] = await Promise.all([settle(origin), settle(origin), settle(origin)])
  const here = await furnish(origin, creator, 'here')
  const { boardId, taskId } = here
  await call(origin, creator, 'POST', `/api/boards/${boardId}/members`, { username: member.username })
  const invitation = await call(origin, creator, 'POST', `/api/boards/${boardId}/members`, {
    email: `${crypto.randomUUID()}@example.com`,
  })
  const second = await call(origin, member, 'POST', `/api/boards/${boardId}/tasks`, { title: 'Sow' })
  const timer = await call(origin, member, 'POST', '/api/time-entries', { taskId, status: 'ACTIVE' })
  const remark = await call(origin, member, 'POST', `/api/tasks/${taskId}/comments`, { content: 'Where?' })
  const there = await furnish(origin, stranger, 'there')
  const ids = (name: keyof typeof here, ...more: number[]) => [
    here[name],
    here[name],
    ...more,
    there[name],
    ...(sealed[name] ?? []),
  ]
  const tasks = ids('taskId', second.id)
  const members = [creator.id, member.id, stranger.id, ...(sealed.userId ?? [])]
  const names = [creator, member, stranger].map(({ username }) => username)
  const known: Known = {
    ...{ boardId: ids('boardId'), taskId: tasks, taskIds: tasks, before: tasks, after: tasks },
    ...{ commentId: ids('commentId', remark.id), entryId: ids('entryId', timer.id), attachmentId: ids('attachmentId') },
    ...{ userId: members, userIds: members, invitationId: [invitationIdOf(invitation), ...(sealed.invitationId ?? [])] },
    ...{ ':name': ids(':name'), username: [...names, 'nobody.here'], email: names.map((name) => `${name}@example.com`) },
    ...{ password: [PASSWORD, 'wrong one'], currentPassword: [PASSWORD], token: tokens, provider: ['google', 'github', 'oidc'] },
  }
  return { people: [null, stranger, member, creator], known }
}

const invitationIdOf = ({ invitation }: Made) => Number(Object(invitation).id)

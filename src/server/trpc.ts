import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { type NewActivity, writeActivities } from '../activity/server/store'
import type { Session, Sessions } from '../auth/server/sessions'
import type { Provider } from '../billing/server/provider'
import { memberIds, raiseVersion, raiseVersions } from '../boards/server/store'
import type { Config } from '../config'
import type { Db } from '../db/client'
import type { BoardChange, BoardMessage } from '../messages'
import { id } from '../schema'
import type { Snapshots } from '../tasks/server/snapshots'
import type { KeptSums } from '../time/report/server/sums'
import type { UserSummary } from '../users/schema'
import { createQueues } from './concurrency'
import { explain, unauthorized } from './errors'
import type { FileStore } from './files/fileStore'
import type { Sweeper } from './files/sweeper'
import {
  type AttachmentRight,
  type BoardRight,
  grantAttachment,
  grantBoard,
  grantComment,
  grantReading,
  grantRestoring,
  grantTask,
  grantTaskReading,
  type TaskRight,
} from './grants'
import { boardTopic, type Hub, userTopic } from './live/hub'
import type { Outbox } from './live/messageOutbox'
import type { Post } from './mail/mailer'
import { type Fate, type Mail, writeMail } from './mail/store'
import { countCall, type Limits } from './rateLimits'

/** What the whole server shares. */
export type Parts = {
  db: Db
  hub: Hub
  config: Config
  sessions: Sessions
  snapshots: Snapshots
  sums: KeptSums
  limits: Limits
  post: Post
  files: FileStore
  sweeper: Sweeper
  /** Who takes the money; null where nobody does. */
  payments: Provider | null
  origin: () => string
  /** Where a request comes from on the network. */
  addressOf(request: Request): string
  /** Keeps a connection open that says nothing for longer than others may. */
  takesLong(request: Request): void
}

/** What one call has: `address` is the caller's on the network, `headers` go out with the answer. */
export type Context = {
  parts: Parts
  session: Session | null
  address: string
  userAgent: string
  headers: Headers
  /** What is asked waits for somebody else's server. */
  takesLong(): void
}

/** What the description of the calls says of each: made by the builders, so that it is as they do. */
type Meta = { needsSession: true }

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter({ shape, error }) {
      const { status, body } = explain(error)
      return { ...shape, message: body.message, data: { ...body, httpStatus: status } }
    },
  })

export const router = t.router
export const callerOf = t.createCallerFactory

/** What a transaction has: `mail` writes a mail with its cause; after `sweep`, the files of what it deletes go at once. */
export type Within = { db: Db; outbox: Outbox; mail(mail: Mail, fate?: Fate): Promise<void>; sweep(): void }

/**
 * Runs `work` in one transaction; its live messages and mails leave after the commit, or never. The builders below call
 * it; only procedures that do something slow first, such as hashing, call it themselves.
 */
export async function commit<T>({ db, hub, post, sweeper }: Parts, work: (within: Within) => Promise<T>): Promise<T> {
  const outbox = hub.outbox()
  let mailed = false
  let swept = false
  try {
    const result = await db.transaction((transaction) => {
      const mail = (mail: Mail, fate?: Fate) => {
        mailed = true
        return writeMail(transaction, mail, fate)
      }
      const sweep = () => {
        swept = true
      }
      return work({ db: transaction, outbox, mail, sweep })
    })
    await outbox.leave()
    if (mailed) post.wake()
    if (swept) sweeper.wake()
    return result
  } finally {
    outbox.end()
  }
}

/** Whoever calls, without a transaction: for what is slow, such as hashing. Here the calls of a user are counted. */
export const anyone = t.procedure.use(async ({ ctx, next }) => {
  await countCall(ctx.parts, ctx.session)
  return next({ ctx: { db: ctx.parts.db } })
})

/** A signed-in user who reads. */
export const signedIn = anyone.meta({ needsSession: true }).use(({ ctx, next }) => {
  if (!ctx.session) throw unauthorized()
  return next({ ctx: { session: ctx.session, viewer: ctx.session.user } })
})

/** A signed-in user who changes something that is not of one board. */
export const acting = signedIn.use(({ ctx, next }) =>
  inTurn(ctx.viewer.id, () => commit(ctx.parts, async (within) => settled(await next({ ctx: within })))),
)

/** Each change waits for its board with a connection in hand: those of one person must not take them all. */
const inTurn = createQueues(4)

const ofBoard = z.object({ boardId: id })
const ofTask = z.object({ taskId: id })
const ofAttachment = z.object({ attachmentId: id })

/** A member who reads a board. */
export const readsBoard = signedIn.input(ofBoard).use(async ({ ctx, input, next }) => {
  return next({ ctx: { grant: await grantReading(ctx.db, ctx.viewer, input.boardId) } })
})

/** A member who reads a task. */
export const readsTask = signedIn.input(ofTask).use(async ({ ctx, input, next }) => {
  return next({ ctx: { grant: await grantTaskReading(ctx.db, ctx.viewer, input.taskId) } })
})

/** A member who changes a board, with the right named. */
export const onBoard = <R extends Exclude<BoardRight, 'read'>>(right: R) =>
  acting.input(ofBoard).use(async ({ ctx, input, next }) => {
    const grant = await grantBoard(ctx.db, ctx.viewer, input.boardId, right)
    return next({ ctx: { grant, announce: announcing(ctx, input.boardId) } })
  })

/** A member who changes a task, with the right named. */
export const onTask = <R extends Exclude<TaskRight, 'read'>>(right: R) =>
  acting.input(ofTask).use(async ({ ctx, input, next }) => {
    const grant = await grantTask(ctx.db, ctx.viewer, input.taskId, right)
    return next({ ctx: { grant, announce: announcing(ctx, grant.board.id) } })
  })

/** Whoever deleted a task just now, and brings it back. */
export const onDeletedTask = acting.input(ofTask).use(async ({ ctx, input, next }) => {
  const grant = await grantRestoring(ctx.db, ctx.viewer, input.taskId)
  return next({ ctx: { grant, announce: announcing(ctx, grant.board.id) } })
})

/** The author of a comment, who changes it. */
export const onComment = acting.input(z.object({ commentId: id })).use(async ({ ctx, input, next }) => {
  const grant = await grantComment(ctx.db, ctx.viewer, input.commentId)
  return next({ ctx: { grant, announce: announcing(ctx, grant.board.id) } })
})

/** Whoever changes an attachment, with the right named. */
export const onAttachment = (right: AttachmentRight) =>
  acting.input(ofAttachment).use(async ({ ctx, input, next }) => {
    const grant = await grantAttachment(ctx.db, ctx.viewer, input.attachmentId, right)
    return next({ ctx: { grant, announce: announcing(ctx, grant.board.id) } })
  })

// tRPC answers a failed procedure as a value; thrown on, it rolls the transaction back.
function settled<Result extends { ok: true } | { ok: false; error: Error }>(result: Result): Result {
  if (!result.ok) throw result.error
  return result
}

export type Acting = { db: Db; outbox: Outbox; viewer: { id: number }; headers: Headers }

/** Names the board's version that a call made, so that a page can put the answer among the live messages. */
const VERSION_HEADER = 'X-Board-Version'

/**
 * Tells a board's members of a stored change: raises the version and stamps the message with it. Changes of the
 * board itself reach its members wherever they are, those of its tasks whoever has it open, and those whom a change
 * concerns (`concerned`) wherever they are: each page once. What was done is asked for with each change, so that none is
 * left out of the board's activity by mistake; empty where there is nothing to tell.
 */
export const announcing =
  ({ db, outbox, viewer, headers }: Acting, boardId: number) =>
  async (change: BoardChange, activity: NewActivity[], concerned: number[] = []) => {
    const [version] = await Promise.all([raiseVersion(db, boardId), writeActivities(db, boardId, viewer.id, activity)])
    outbox.lineUp(boardId)
    headers.set(VERSION_HEADER, String(version))
    const aboutTask = 'task' in change.payload || 'taskId' in change.payload
    const topics = aboutTask ? [boardTopic(boardId)] : (await memberIds(db, boardId)).map(userTopic)
    // The stamp completes each change to its message; TypeScript cannot follow that through a union.
    const message = { type: change.type, payload: { ...change.payload, boardId, version, by: viewer.id } } as BoardMessage
    outbox.push({ do: 'publish', topics, message })
    for (const userId of new Set(concerned)) outbox.push({ do: 'reach', userId, beyond: boardTopic(boardId), message })
  }

/** Tells the members of several boards, which are held, of one person who is shown there. */
export async function announcePerson({ db, outbox, viewer }: Acting, boardIds: number[], user: UserSummary) {
  for (const { id: boardId, version, members } of await raiseVersions(db, boardIds)) {
    outbox.lineUp(boardId)
    const payload = { user, boardId, version, by: viewer.id }
    outbox.push({ do: 'publish', topics: members.map(userTopic), message: { type: 'user_profile_updated', payload } })
  }
}

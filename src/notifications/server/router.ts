import { done } from '../../schema'
import { userTopic } from '../../server/live/hub'
import { acting, router, signedIn } from '../../server/trpc'
import { inboxPart, readMark } from '../schema'
import { markRead, readInbox } from './store'

export const notificationsRouter = router({
  list: signedIn.input(inboxPart).query(({ ctx, input }) => readInbox(ctx.db, ctx.viewer, input.cursor)),

  /** Marks some as read, or all; the user's other pages hear of it. */
  read: acting.input(readMark).mutation(async ({ ctx, input: { ids } }) => {
    const unread = await markRead(ctx.db, ctx.viewer, ids)
    const message = { type: 'notifications_read', payload: { ids: ids ?? null, unread } } as const
    ctx.outbox.push({ do: 'publish', topics: [userTopic(ctx.viewer.id)], message })
    return { ...done, unread }
  }),
})

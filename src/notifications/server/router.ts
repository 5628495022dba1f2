import { z } from 'zod'
import { done } from '../../protocol'
import { success } from '../../schema'
import { toUsers } from '../../server/live/openSockets'
import { restCalls } from '../../server/rest'
import { mutation, reading, router } from '../../server/trpc'
import { inbox, inboxPage, readInput } from '../schema'
import { notificationsRoutes } from './routes'
import { markRead, readInbox } from './store'

const notificationsRouter = router({
  list: reading.input(inboxPage).query(({ ctx, input }) => readInbox(ctx.db, ctx.viewer, input.cursor)),

  read: mutation
    .meta({ kind: 'unmetered' })
    .input(readInput)
    .mutation(async ({ ctx, input }) => {
      const { read, unread } = await markRead(ctx.db, ctx.viewer, input)
      if (read.length > 0)
        ctx.outbox.push(toUsers([ctx.viewer.id], { type: 'notifications_read', to: 'user', payload: { ids: read, unread } }))
      return { ...done, unread }
    }),
})

const { get, post } = restCalls('notifications', notificationsRouter)

const notificationsRest = [
  get('/api/notifications', 'list', 'Your notifications, newest first; cursor is the id of the last one you have', inbox),
  post(
    '/api/notifications/read',
    'read',
    'Mark notifications as read: by ids, by task, up to an id, or all',
    success.extend({ unread: z.number() }),
  ),
]

export const notificationsDomain = {
  router: notificationsRouter,
  rest: notificationsRest,
  routes: notificationsRoutes,
  shapes: { Inbox: inbox },
}

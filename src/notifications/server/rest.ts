import { z } from 'zod'
import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { inbox } from '../schema'
import { notificationsRouter } from './router'

const { get, post } = restCalls('notifications', notificationsRouter)

export const notificationsRest = [
  get('/api/notifications', 'list', 'What concerns oneself, the newest first; cursor, the id of the last one, goes on', inbox),
  post(
    '/api/notifications/read',
    'read',
    'Mark notifications as read: those of ids or of a task, or all',
    success.extend({ unread: z.number() }),
  ),
]

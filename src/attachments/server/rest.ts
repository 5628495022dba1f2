import { z } from 'zod'
import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { attachment } from '../schema'
import { attachmentsRouter } from './router'

const { get, post, remove } = restCalls('attachments', attachmentsRouter)

export const attachmentsRest = [
  get('/api/attachments/:taskId', 'list', 'The files of a task, oldest first', z.array(attachment)),
  remove('/api/attachments/:attachmentId', 'delete', 'Delete a file that one uploaded', success),
  post(
    '/api/attachments/restore/:attachmentId',
    'restore',
    'Bring back a file that one deleted in the last 10 seconds',
    attachment,
  ),
]

import { z } from 'zod'
import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { comment } from '../schema'
import { commentsRouter } from './router'

const { get, post, create, patch, remove } = restCalls('comments', commentsRouter)

export const commentsRest = [
  get(
    '/api/tasks/:taskId/comments',
    'list',
    'The comments of a task, oldest first; where there are more, X-Next-Cursor names the cursor that goes on',
    z.array(comment),
  ),
  create('/api/tasks/:taskId/comments', 'create', 'Comment on a task', comment),
  patch('/api/comments/:commentId', 'update', "Edit one's comment", comment),
  remove('/api/comments/:commentId', 'delete', "Delete one's comment", success),
  post('/api/comments/:commentId/restore', 'restore', 'Bring back a comment that one deleted in the last 10 seconds', comment),
]

import { z } from 'zod'
import { attachment } from '../../attachments/schema'
import { success } from '../../schema'
import { restCalls } from '../../server/rest'
import { deletedTask, task } from '../schema'
import { tasksRouter } from './router'

const { get, post, create, patch, remove } = restCalls('tasks', tasksRouter)

const taskWithAttachments = task.extend({ attachments: z.array(attachment) })

export const tasksRest = [
  create('/api/boards/:boardId/tasks', 'create', 'Create a task at the end of its column', task),
  get('/api/tasks/:taskId', 'get', 'A task with its attachments', taskWithAttachments),
  patch('/api/tasks/:taskId', 'update', 'Change the fields given; before or after (a task id) names the place', task),
  remove('/api/tasks/:taskId', 'delete', 'Delete a task', success),
  get(
    '/api/boards/:boardId/tasks/deleted',
    'deleted',
    'The tasks deleted in the last 30 days that one can bring back, the last deleted first; where there are more, X-Next-Cursor names the cursor that goes on',
    z.array(deletedTask),
  ),
  post(
    '/api/tasks/:taskId/restore',
    'restore',
    'Bring back a task deleted in the last 30 days: one that one deleted, or any of a board that one created',
    task,
  ),
  create('/api/tasks/:taskId/assignees', 'assign', 'Assign a member of the board', task),
  remove('/api/tasks/:taskId/assignees/:userId', 'unassign', 'End an assignment', success),
]

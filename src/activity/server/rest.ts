import { restCalls } from '../../server/rest'
import { feed } from '../schema'
import { activityRouter } from './router'

const { get } = restCalls('activity', activityRouter)

export const activityRest = [
  get('/api/boards/:boardId/activity', 'board', 'What was done on a board, newest first, 30 at a time; nextCursor goes on', feed),
  get('/api/tasks/:taskId/activity', 'task', 'What was done to a task; as that of its board', feed),
]

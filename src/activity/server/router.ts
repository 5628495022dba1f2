import { readsBoard } from '../../boards/server/procedures'
import { restCalls } from '../../server/rest'
import { router } from '../../server/trpc'
import { readsTask } from '../../tasks/server/procedures'
import { activityEvent, feed, feedPage } from '../schema'
import { boardActivity, taskActivity } from './store'

const activityRouter = router({
  task: readsTask.input(feedPage).query(({ ctx, input }) => taskActivity(ctx.db, ctx.grant, input.cursor)),

  board: readsBoard.input(feedPage).query(({ ctx, input }) => boardActivity(ctx.db, ctx.grant, input.cursor)),
})

const { get } = restCalls('activity', activityRouter)

const activityRest = [
  get('/api/boards/:boardId/activity', 'board', 'What was done on a board, newest first, 30 at a time; nextCursor goes on', feed),
  get('/api/tasks/:taskId/activity', 'task', 'What was done to a task; as that of its board', feed),
]

export const activityDomain = { router: activityRouter, rest: activityRest, shapes: { ActivityEvent: activityEvent, Feed: feed } }

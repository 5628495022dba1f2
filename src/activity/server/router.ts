import { activityEvent } from '../../boards/activity'
import { readsBoard } from '../../boards/server/procedures'
import { restCalls } from '../../server/rest'
import { router } from '../../server/trpc'
import { readsTask } from '../../tasks/server/procedures'
import { feed, feedPage } from '../schema'
import { boardActivity, taskActivity } from './store'

const activityRouter = router({
  task: readsTask.input(feedPage).query(({ ctx, input }) => taskActivity(ctx.db, ctx.grant, input.cursor)),

  board: readsBoard.input(feedPage).query(({ ctx, input }) => boardActivity(ctx.db, ctx.grant, input.cursor)),
})

const { get } = restCalls('activity', activityRouter)

const activityRest = [
  get(
    '/api/boards/:boardId/activity',
    'board',
    "A board's activity, newest first, 30 at a time; nextCursor leads to the next page",
    feed,
  ),
  get('/api/tasks/:taskId/activity', 'task', "A task's activity, in the same format", feed),
]

export const activityDomain = { router: activityRouter, rest: activityRest, shapes: { ActivityEvent: activityEvent, Feed: feed } }

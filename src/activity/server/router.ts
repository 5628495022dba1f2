import { readsBoard } from '../../boards/server/procedures'
import { router } from '../../server/trpc'
import { readsTask } from '../../tasks/server/procedures'
import { feedPage } from '../schema'
import { boardActivity, taskActivity } from './store'

export const activityRouter = router({
  task: readsTask.input(feedPage).query(({ ctx, input }) => taskActivity(ctx.db, ctx.grant, input.cursor)),

  board: readsBoard.input(feedPage).query(({ ctx, input }) => boardActivity(ctx.db, ctx.grant, input.cursor)),
})

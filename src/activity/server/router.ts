import { readsBoard, readsTask, router } from '../../server/trpc'
import { feedPart } from '../schema'
import { boardActivity, taskActivity } from './store'

/** Activities are written where changes are announced: see `announcing` in server/trpc.ts. */
export const activityRouter = router({
  task: readsTask.input(feedPart).query(({ ctx, input }) => taskActivity(ctx.db, ctx.grant, input.cursor)),

  board: readsBoard.input(feedPart).query(({ ctx, input }) => boardActivity(ctx.db, ctx.grant, input.cursor)),
})

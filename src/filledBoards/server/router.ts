import { createAnnounced } from '../../boards/server/createAnnounced'
import { mutation, router } from '../../server/trpc'
import { dayIn } from '../../time/entries/server/calendarDay'
import { exampleFor, listedBoard, tasksIn } from '../schema'
import { EXAMPLE_BOARD, exampleTasks } from './example'
import { addExample, addTasks } from './store'

export const filledBoardsRouter = router({
  example: mutation.input(exampleFor).mutation(({ ctx, input: { timeZone } }) => {
    const given = exampleTasks(dayIn(new Date(), timeZone))
    return createAnnounced(ctx, EXAMPLE_BOARD, (grant) => addExample(ctx.db, grant, given, timeZone))
  }),

  fromList: mutation.input(listedBoard).mutation(({ ctx, input: { list, ...board } }) => {
    const given = tasksIn(list).map(({ title, status }) => ({ title, status, tags: [] }))
    return createAnnounced(ctx, board, (grant) => addTasks(ctx.db, grant, given))
  }),
})

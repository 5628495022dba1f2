import { board } from '../../boards/schema'
import { createBoard } from '../../boards/server/changes'
import type { Context } from '../../server/context'
import { restCalls } from '../../server/rest'
import type { SignedIn } from '../../server/signedIn'
import { mutation, router } from '../../server/trpc'
import { dayIn } from '../../time/limits'
import { exampleFor, listedBoard, tasksIn } from '../schema'
import { addExample, addList, EXAMPLE_BOARD, exampleTasks } from './store'

/** Limited, because deleted boards keep their contents for a month. */
const countBoard = ({ services, viewer }: Pick<Context, 'services'> & { viewer: SignedIn }) =>
  services.limits.consume('boardStarters', `user ${viewer.id}`)

const boardStartersRouter = router({
  example: mutation.input(exampleFor).mutation(async ({ ctx, input: { timeZone } }) => {
    await countBoard(ctx)
    const given = exampleTasks(dayIn(new Date(), timeZone), ctx.viewer.id)
    return createBoard(ctx, EXAMPLE_BOARD, (grant) => addExample(ctx.db, grant, given, timeZone))
  }),

  fromList: mutation.input(listedBoard).mutation(async ({ ctx, input: { list, ...board } }) => {
    await countBoard(ctx)
    return createBoard(ctx, board, (grant) => addList(ctx.db, grant, tasksIn(list)))
  }),
})

const { create } = restCalls('boardStarters', boardStartersRouter)

const boardStartersRest = [
  create('/api/boards/example', 'example', 'Create a board with six sample tasks, with due dates close to today', board),
  create(
    '/api/boards/from-list',
    'fromList',
    'Create a board with a task per line of a list, at most 1,000; [x] marks done ones',
    board,
  ),
]

export const boardStartersDomain = { router: boardStartersRouter, rest: boardStartersRest }

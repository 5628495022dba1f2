import { z } from 'zod'
import { boardEvents } from '../../boards/activity'
import type { BoardGrant } from '../../boards/server/grants'
import { onBoard, readsBoard } from '../../boards/server/procedures'
import type { Db } from '../../db/database'
import { type NotifyContext, notify } from '../../notifications/server/notify'
import { done } from '../../protocol'
import { success } from '../../schema'
import { createSemaphore } from '../../server/concurrency'
import { repeatOrRun } from '../../server/idempotency.store'
import { toUsers } from '../../server/live/openSockets'
import { restCalls } from '../../server/rest'
import { once, type TransactionContext } from '../../server/transaction'
import { protectedProcedure, reading, router } from '../../server/trpc'
import {
  type BoardImport,
  boardImport,
  importedName,
  importInput,
  listedImport,
  nameAnswer,
  nameInput,
  nameOffer,
  namesDeclined,
  plankaAccess,
  plankaBoard,
  plankaBoards,
  rereadInput,
  startInput,
} from '../schema'
import { grantImport } from './grants'
import { toImport } from './lookup'
import { grantAnswer, grantOffer } from './names/grants'
import { describeNames, findAsked } from './names/lookup'
import { moveName } from './names/reassign'
import { answerNames, listNames, offerName } from './names/store'
import { preparePlanka, withAsking } from './prepare'
import { importsRoutes } from './routes'
import { listPlankaBoards } from './sources/plankaApi'
import { cancel, reread, start } from './start'
import { addImport, assertFewOpen, listImports } from './store'

/** Slow answers of a Planka server take only disk. */
const acquireAsking = createSemaphore({ perUser: 1, total: 100 }, 'Too many boards are being read at once.')

const acquireRereading = createSemaphore({ perUser: 1, total: 20 }, 'Too many files are being read at once.')

const asking = protectedProcedure.use(async ({ ctx, next }) => {
  await ctx.services.limits.consume('imports', `user ${ctx.viewer.id}`)
  const release = acquireAsking(ctx.viewer.id)
  ctx.extendTimeout()
  return next().finally(release)
})

const importsRouter = router({
  list: reading.query(({ ctx }) => listImports(ctx.db, ctx.viewer)),

  get: reading.input(importInput).query(async ({ ctx, input }) => {
    return toImport((await grantImport(ctx.db, ctx.viewer, input.importId)).row)
  }),

  start: protectedProcedure
    .input(importInput)
    .input(startInput)
    .mutation(async ({ ctx, input }) => {
      const started = await once(ctx, ({ db }) => start(db, ctx.viewer, input))
      ctx.services.imports.runSoon()
      return started
    }),

  reread: protectedProcedure
    .input(importInput)
    .input(rereadInput)
    .mutation(({ ctx, input }) =>
      repeatOrRun(ctx, async () => {
        await ctx.services.limits.consume('previewChanges', `user ${ctx.viewer.id}`)
        const release = acquireRereading(ctx.viewer.id)
        ctx.extendTimeout()
        const replace = (work: (db: Db) => Promise<BoardImport>) => once(ctx, ({ db }) => work(db))
        return reread(ctx.services, ctx.viewer, input, replace).finally(release)
      }),
    ),

  cancel: protectedProcedure.input(importInput).mutation(async ({ ctx, input }) => {
    const cancelled = await once(ctx, ({ db }) => cancel(db, ctx.viewer, input.importId), 'deletes')
    ctx.services.imports.tidySoon()
    return cancelled
  }),

  names: readsBoard.query(({ ctx }) => listNames(ctx.db, ctx.grant)),

  offerName: onBoard('change')
    .input(nameInput)
    .input(nameOffer)
    .mutation(async ({ ctx, input }) => {
      const offer = await grantOffer(ctx.db, ctx.grant, input)
      const asked = await findAsked(ctx.db, input.boardId, { nameIds: [input.nameId] })
      await offerName(ctx.db, offer)
      announceNames(ctx, [...asked.map(({ userId }) => userId), ...(input.userId === null ? [] : [input.userId])])
      return done
    }),

  answerName: onBoard('change')
    .input(nameInput)
    .input(nameAnswer)
    .mutation(async ({ ctx, input }) => {
      if (!input.isMine) return decline(ctx, [input.nameId])
      await answerNames(ctx.db, await grantAnswer(ctx.db, ctx.grant, [input.nameId]), true)
      await moveName(ctx, input, boardEvents({ kind: 'name_accepted', detail: {} }))
      return done
    }),

  declineNames: onBoard('change')
    .input(namesDeclined)
    .mutation(({ ctx, input }) => decline(ctx, input.nameIds)),

  plankaBoards: asking.input(plankaAccess).mutation(async ({ ctx, input }) => {
    return withAsking(ctx.services, { ...input, signal: ctx.signal() }, listPlankaBoards)
  }),

  fromPlanka: asking.input(plankaBoard).mutation(({ ctx, input }) =>
    repeatOrRun(ctx, async () => {
      await assertFewOpen(ctx.db, ctx.viewer)
      return preparePlanka(ctx.services, ctx.viewer, { ...input, signal: ctx.signal() }, (prepared) =>
        once(ctx, ({ db }) => addImport(db, ctx.viewer, prepared)),
      )
    }),
  ),
})

async function decline(ctx: NotifyContext & { grant: BoardGrant<'change'> }, nameIds: number[]) {
  const { db, grant } = ctx
  const declined = await answerNames(db, await grantAnswer(db, grant, nameIds), false)
  const asked = await findAsked(db, grant.board.id, { nameIds: declined })
  announceNames(
    ctx,
    asked.map(({ userId }) => userId),
  )
  if (declined.length > 0)
    await notify(ctx, 'name_declined', [grant.board.createdBy], { detail: await describeNames(db, declined) })
  return done
}

type Changed = Pick<TransactionContext, 'outbox'> & { grant: BoardGrant<'change'> }

function announceNames({ outbox, grant: { board, viewer } }: Changed, asked: number[] = []) {
  const names = { type: 'names_changed', to: 'user', payload: { boardId: board.id } } as const
  outbox.push(toUsers([board.createdBy, viewer.id, ...asked], names))
}

const { get, post, create, remove } = restCalls('imports', importsRouter)

const importsRest = [
  get('/api/imports', 'list', 'Your imports, newest first', z.array(listedImport)),
  get('/api/imports/:importId', 'get', 'An import: its preview, or its progress', boardImport),
  remove('/api/imports/:importId', 'cancel', 'Stop and delete an import; a finished board stays', success),
  post('/api/imports/:importId/start', 'start', 'Create a board from an upload', boardImport),
  post(
    '/api/imports/:importId/reading',
    'reread',
    "Change how an import's CSV is read: its columns, statuses and encoding",
    boardImport,
  ),
  post('/api/imports/planka/boards', 'plankaBoards', 'The boards that an API key can see on a Planka server', plankaBoards),
  create('/api/imports/planka', 'fromPlanka', 'Read a board from a Planka server, to import it', boardImport),
  get(
    '/api/boards/:boardId/imported-names',
    'names',
    "A board's imported names: its creator sees all of them, other members only those they are asked about",
    z.array(importedName),
  ),
  post(
    '/api/boards/:boardId/imported-names/:nameId/offer',
    'offerName',
    'Ask a member whether an imported name is theirs, or withdraw the question',
    success,
  ),
  post(
    '/api/boards/:boardId/imported-names/:nameId/answer',
    'answerName',
    'Say whether an imported name is yours; if so, its work becomes yours',
    success,
  ),
  post('/api/boards/:boardId/imported-names/decline', 'declineNames', 'Say that none of these names is yours', success),
]

export const importsDomain = { router: importsRouter, rest: importsRest, routes: importsRoutes, shapes: { Import: boardImport } }

import type { Announcement } from '../../protocol'
import type { Context } from '../../server/context'
import type { AnnounceGrant } from '../../server/signedIn'
import type { TransactionContext } from '../../server/transaction'
import { mutation, reading } from '../../server/trpc'
import type { NewActivity } from '../activity'
import { boardInput } from '../schema'
import { announce } from './announce'
import { type BoardRight, grantBoard, grantBoardReading, grantRestoringBoard } from './grants'

export const changeContext = <Grant extends AnnounceGrant>(ctx: Context & TransactionContext, grant: Grant) => ({
  grant,
  announce: (change: Announcement, activities: NewActivity[], alsoTo?: number[]) =>
    announce(ctx, grant, change, activities, alsoTo),
})

export const readsBoard = reading.input(boardInput).use(async ({ ctx, input, next }) => {
  return next({ ctx: { grant: await grantBoardReading(ctx.db, ctx.viewer, input.boardId) } })
})

export const onBoard = <R extends Exclude<BoardRight, 'read'>>(right: R) =>
  mutation.input(boardInput).use(async ({ ctx, input, next }) => {
    return next({ ctx: changeContext(ctx, await grantBoard(ctx.db, ctx.viewer, input.boardId, right)) })
  })

export const onDeletedBoard = mutation.input(boardInput).use(async ({ ctx, input, next }) => {
  return next({ ctx: changeContext(ctx, await grantRestoringBoard(ctx.db, ctx.viewer, input.boardId)) })
})

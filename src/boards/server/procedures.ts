import { z } from 'zod'
import type { NewActivity } from '../../activity/schema'
import type { Announcement } from '../../protocol'
import { id } from '../../schema'
import type { Context } from '../../server/context'
import type { AnnounceGrant } from '../../server/granted'
import type { TransactionContext } from '../../server/transaction'
import { mutation, protectedProcedure } from '../../server/trpc'
import { announce } from './announce'
import { type BoardRight, grantBoard, grantBoardReading } from './grants'

const ofBoard = z.object({ boardId: id })

/** The context of a change that was granted: its grant, and `announce` for its board. */
export const granted = <Grant extends AnnounceGrant>(ctx: Context & TransactionContext, grant: Grant) => ({
  grant,
  announce: (change: Announcement, activities: NewActivity[], alsoTo?: number[]) =>
    announce(ctx, grant, change, activities, alsoTo),
})

/** A member who reads a board. */
export const readsBoard = protectedProcedure.input(ofBoard).use(async ({ ctx, input, next }) => {
  return next({ ctx: { grant: await grantBoardReading(ctx.db, ctx.viewer, input.boardId) } })
})

/** A member who changes a board, with the right named. */
export const onBoard = <R extends Exclude<BoardRight, 'read'>>(right: R) =>
  mutation.input(ofBoard).use(async ({ ctx, input, next }) => {
    return next({ ctx: granted(ctx, await grantBoard(ctx.db, ctx.viewer, input.boardId, right)) })
  })

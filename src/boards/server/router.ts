import { z } from 'zod'
import { boardEvents } from '../../activity/server/activityEvents'
import { type SentInvitation, sentInvitation } from '../../invitations/schema'
import { countInvitation, endLinks, invite, inviteAccount } from '../../invitations/server/invite'
import { endInvitationsTo, revokeInvitationsBy } from '../../invitations/server/store'
import { notify } from '../../notifications/server/notify'
import { done, id, success } from '../../schema'
import { conflict, notFound } from '../../server/errors'
import { toUsers } from '../../server/live/hub'
import { restCalls } from '../../server/rest'
import { mutation, reading, router } from '../../server/trpc'
import { announceEntry } from '../../time/entries/server/announceEntry'
import { databaseNow } from '../../time/entries/server/lookup'
import { grantTimersOfMember } from '../../time/timers/server/grants'
import { endTimers } from '../../time/timers/server/store'
import { type UserSummary, userSummary } from '../../users/schema'
import { findByEmail, findByUsername } from '../../users/server/lookup'
import { arrangement, board, boardChanges, boardInput, boardListItem, deletedBoard, newBoard, newMember } from '../schema'
import { boardChangeEvents, createBoard, deleteBoard } from './changes'
import { deleteForGood, listDeletedBoards, restoreBoard } from './deleted.store'
import { grantBoardReading, grantErasingBoard, grantRemoval } from './grants'
import { onBoard, onDeletedBoard, readsBoard } from './procedures'
import { addMember, arrangeBoards, hasLeft, listBoards, readBoard, removeMember, updateBoard } from './store'

export const boardsRouter = router({
  list: reading.query(({ ctx }) => listBoards(ctx.db, ctx.viewer)),

  arrange: mutation.input(arrangement).mutation(async ({ ctx, input }) => {
    await arrangeBoards(ctx.db, ctx.viewer, input)
    ctx.outbox.push(toUsers([ctx.viewer.id], { type: 'boards_arranged', to: 'user', payload: {} }))
    return done
  }),

  get: readsBoard.query(({ ctx }) => readBoard(ctx.db, ctx.grant)),

  create: mutation.input(newBoard).mutation(({ ctx, input }) => createBoard(ctx, input)),

  update: onBoard('edit')
    .input(boardChanges)
    .mutation(async ({ ctx, input }) => {
      const { updates, changed } = await updateBoard(ctx.db, ctx.grant, input)
      if (!changed) return readBoard(ctx.db, ctx.grant)
      const { inviteLinks, ...texts } = updates
      const before = ctx.grant.board
      await ctx.announce(
        {
          type: 'BOARD_UPDATED',
          to: 'members',
          payload: { updates: { ...texts, ...(inviteLinks !== before.inviteLinks && { inviteLinks }) } },
        },
        boardEvents(...boardChangeEvents(before, updates)),
      )
      if (before.inviteLinks && !inviteLinks) await endLinks(ctx)
      const board = await readBoard(ctx.db, ctx.grant)
      const members = board.members.map(({ id }) => id)
      if (updates.name !== before.name) await notify(ctx, 'renamed', members)
      else if (updates.description !== before.description) await notify(ctx, 'described', members)
      return board
    }),

  delete: onBoard('delete')
    .meta({ deletes: true })
    .mutation(async ({ ctx }) => {
      await deleteBoard(ctx, ctx.grant)
      return done
    }),

  deleted: reading.query(({ ctx }) => listDeletedBoards(ctx.db, ctx.viewer)),

  restore: onDeletedBoard.meta({ restores: true }).mutation(async ({ ctx, input }) => {
    await restoreBoard(ctx.db, ctx.grant)
    await ctx.announce(
      { type: 'board_restored', to: 'members', payload: {} },
      boardEvents({ kind: 'board_restored', detail: {} }),
    )
    return readBoard(ctx.db, await grantBoardReading(ctx.db, ctx.viewer, input.boardId))
  }),

  /** The next purge takes it. */
  deleteForGood: mutation
    .meta({ deletes: true })
    .input(boardInput)
    .mutation(async ({ ctx, input }) => {
      await deleteForGood(ctx.db, await grantErasingBoard(ctx.db, ctx.viewer, input.boardId))
      return done
    }),

  addMember: onBoard('change')
    .input(newMember)
    .mutation(async ({ ctx, input }): Promise<{ user: UserSummary } | { invitation: SentInvitation }> => {
      const found =
        'email' in input ? await findByEmail(ctx.db, ctx.viewer, input.email) : await findByUsername(ctx.db, input.username)
      if (!found && 'email' in input) return { invitation: await invite(ctx, input.email) }
      if (!found) throw notFound('Nobody has an account with this username.')
      await countInvitation(ctx)
      if (await hasLeft(ctx.db, ctx.grant, found.id)) {
        const invitation = await inviteAccount(ctx, found.id)
        const { user: _, ...others } = invitation
        return { invitation: 'email' in input ? { ...others, email: input.email } : invitation }
      }
      const user = await addMember(ctx.db, ctx.grant, found.id)
      if (!user) throw conflict('This person is already a member of the board.')
      const invitationIds = await endInvitationsTo(ctx.db, ctx.grant, user.id)
      await ctx.announce(
        {
          type: 'board_member_added',
          to: 'members',
          payload: { user, ...(invitationIds.length > 0 && { invitationIds }) },
        },
        boardEvents({ kind: 'member_added', detail: { userId: user.id } }),
      )
      await notify(ctx, 'added', [user.id])
      return { user }
    }),

  removeMember: onBoard('change')
    .meta({ deletes: true })
    .input(z.object({ userId: id }))
    .mutation(async ({ ctx, input: { userId } }) => {
      const removal = grantRemoval(ctx.grant, userId)
      const timers = await grantTimersOfMember(ctx.db, removal)
      for (const entry of await endTimers(ctx.db, timers, await databaseNow(ctx.db))) await announceEntry(ctx, ctx.grant, entry)
      // Announced first, so that the removed member receives it.
      const version = await ctx.announce(
        { type: 'board_member_removed', to: 'members', payload: { userId } },
        boardEvents(
          userId === ctx.viewer.id ? { kind: 'member_left', detail: {} } : { kind: 'member_removed', detail: { userId } },
        ),
      )
      if (!(await removeMember(ctx.db, removal))) throw notFound('This person is not a member of the board.')
      await revokeInvitationsBy(ctx.db, removal)
      ctx.outbox.push({ do: 'leaveBoard', userId, boardId: ctx.grant.board.id, version })
      return done
    }),
})

const { get, post, create, patch, remove } = restCalls('boards', boardsRouter)

export const boardsRest = [
  get('/api/boards', 'list', 'The boards of which one is a member, oldest first', z.array(boardListItem)),
  create('/api/boards', 'create', 'Create a board', board),
  patch(
    '/api/boards/order',
    'arrange',
    "Put one's boards into an order of one's own: the pinned ones, which come first, and the others; those not named stay as they are",
    success,
  ),
  get(
    '/api/boards/deleted',
    'deleted',
    'The boards deleted in the last 30 days that one can bring back or logged time on, the last deleted first',
    z.array(deletedBoard),
  ),
  get('/api/boards/:boardId', 'get', 'A board with its members', board),
  patch('/api/boards/:boardId', 'update', 'Change name or description, or whether members may make links to pass on', board),
  remove(
    '/api/boards/:boardId',
    'delete',
    'Delete a board with all that is on it; its creator can bring it back for 30 days',
    success,
  ),
  post('/api/boards/:boardId/restore', 'restore', 'Bring back a board that one created, deleted in the last 30 days', board),
  remove(
    '/api/deleted-boards/:boardId',
    'deleteForGood',
    'Delete a board for good that one created and deleted, unless others logged time on it',
    success,
  ),
  create(
    '/api/boards/:boardId/members',
    'addMember',
    'Add a member by email or username; an address without an account is invited by mail, anew if it was before',
    z.union([z.object({ user: userSummary }), z.object({ invitation: sentInvitation })]),
  ),
  remove('/api/boards/:boardId/members/:userId', 'removeMember', 'Remove a member, or leave', success),
]

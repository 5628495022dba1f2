import { z } from 'zod'
import { type SentInvitation, sentInvitation } from '../../invitations/schema'
import { countInvitation, invite, inviteAccount, revokeInviteLinks } from '../../invitations/server/invite'
import { endInvitationsTo } from '../../invitations/server/store'
import { notify } from '../../notifications/server/notify'
import { done } from '../../protocol'
import { id, success } from '../../schema'
import { conflict, notFound, Refusal } from '../../server/errors'
import { boardClientMessage, clientMessage, relayToOthers } from '../../server/live/clientMessages'
import { boardTopic, type Socket, sendTo, toUsers } from '../../server/live/openSockets'
import { restCalls } from '../../server/rest'
import { mutation, reading, router } from '../../server/trpc'
import { boardOfTask } from '../../tasks/server/lookup'
import { summaryOf, type UserSummary, userSummary } from '../../users/schema'
import { findByEmail, findByUsername } from '../../users/server/lookup'
import { boardEvents } from '../activity'
import {
  arrangement,
  board,
  boardChanges,
  boardInput,
  boardListItem,
  deletedBoard,
  newBoard,
  newMember,
  WATCHED_MAX,
} from '../schema'
import { boardChangeEvents, createBoard, deleteBoard, endMembership } from './changes'
import { deleteForGood, listDeletedBoards, restoreBoard } from './deleted.store'
import { grantBoardReading, grantErasingBoard, grantJoiningChannel, grantRemoval } from './grants'
import { boardsAmong } from './lookup'
import { onBoard, onDeletedBoard, readsBoard } from './procedures'
import { addMember, arrangeBoards, hasLeft, listBoards, readBoard, updateBoard } from './store'

const boardsRouter = router({
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
      if (before.inviteLinks && !inviteLinks) await revokeInviteLinks(ctx)
      const board = await readBoard(ctx.db, ctx.grant)
      const members = board.members.map(({ id }) => id)
      if (updates.name !== before.name) await notify(ctx, 'renamed', members)
      else if (updates.description !== before.description) await notify(ctx, 'described', members)
      return board
    }),

  delete: onBoard('delete')
    .meta({ kind: 'deletes' })
    .mutation(async ({ ctx }) => {
      await deleteBoard(ctx, ctx.grant)
      return done
    }),

  deleted: reading.query(({ ctx }) => listDeletedBoards(ctx.db, ctx.viewer)),

  restore: onDeletedBoard.meta({ kind: 'restores' }).mutation(async ({ ctx, input }) => {
    await restoreBoard(ctx.db, ctx.grant)
    await ctx.announce(
      { type: 'board_restored', to: 'members', payload: {} },
      boardEvents({ kind: 'board_restored', detail: {} }),
    )
    return readBoard(ctx.db, await grantBoardReading(ctx.db, ctx.viewer, input.boardId))
  }),

  /** The next purge takes it. */
  deleteForGood: mutation
    .meta({ kind: 'deletes' })
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
    .meta({ kind: 'deletes' })
    .input(z.object({ userId: id }))
    .mutation(async ({ ctx, input: { userId } }) => {
      await endMembership(ctx, grantRemoval(ctx.grant, userId))
      return done
    }),
})

const { get, post, create, patch, remove } = restCalls('boards', boardsRouter)

const boardsRest = [
  get('/api/boards', 'list', 'The boards you are on, oldest first', z.array(boardListItem)),
  create('/api/boards', 'create', 'Create a board', board),
  patch(
    '/api/boards/order',
    'arrange',
    'Order your boards: pinned ones first, then the others; boards you leave out stay where they are',
    success,
  ),
  get(
    '/api/boards/deleted',
    'deleted',
    'Boards deleted in the last 30 days that you can restore or logged time on, last deleted first',
    z.array(deletedBoard),
  ),
  get('/api/boards/:boardId', 'get', 'A board with its members', board),
  patch('/api/boards/:boardId', 'update', 'Change the name, the description, or whether members may create invite links', board),
  remove(
    '/api/boards/:boardId',
    'delete',
    'Delete a board and everything on it; its creator can restore it for 30 days',
    success,
  ),
  post('/api/boards/:boardId/restore', 'restore', 'Restore a board you created that was deleted in the last 30 days', board),
  remove(
    '/api/deleted-boards/:boardId',
    'deleteForGood',
    'Permanently delete a board you created and already deleted, unless others logged time on it',
    success,
  ),
  create(
    '/api/boards/:boardId/members',
    'addMember',
    'Add a member by email or username; an email without an account gets an invitation, renewed if it had one',
    z.union([z.object({ user: userSummary }), z.object({ invitation: sentInvitation })]),
  ),
  remove('/api/boards/:boardId/members/:userId', 'removeMember', 'Remove a member, or leave the board', success),
]

const JOINED_MAX = 50
const JOINED_BY_ONE_MAX = 100

const watching = z.object({ boards: z.array(z.tuple([id, z.number().int().nonnegative()])).max(WATCHED_MAX) })
const viewing = boardInput.extend({ taskId: id.nullable() })
const editing = boardInput.extend({
  element: z.enum(['board_name', 'board_description']),
  status: z.enum(['started', 'ended']),
})

const boardsOf = (sockets: Set<Socket>, kind: 'joined' | 'watched') =>
  new Set([...sockets].flatMap(({ data }) => [...data[kind].keys()]))

const boardClientMessages = {
  /** Joins under the board's lock, so that no change to the board or its members slips in between. */
  join_board: boardClientMessage(boardInput, async ({ services, socket, viewer, payload: { boardId } }) => {
    const joined = boardsOf(services.hub.socketsOf(viewer.id), 'joined')
    const isNew = !socket.data.joined.has(boardId)
    if ((isNew && socket.data.joined.size >= JOINED_MAX) || (joined.size >= JOINED_BY_ONE_MAX && !joined.has(boardId)))
      throw new Refusal('TOO_MANY_REQUESTS', 'Too many boards are open on one page')
    const version = await services.db.transaction(async (db) => {
      const { board } = await grantJoiningChannel(db, viewer, boardId)
      if (socket.readyState === WebSocket.OPEN) services.hub.join(socket, boardId, board.version)
      return board.version
    })
    sendTo(socket, { type: 'joined_board', payload: { boardId, version } })
  }),

  leave_board: boardClientMessage(boardInput, ({ services, socket, payload }) => services.hub.leave(socket, payload.boardId)),

  /** Replaces what was watched. Watching costs queries again and again, so one limit holds for all sockets of a user. */
  watch_boards: clientMessage(watching, async ({ services, socket, viewer, payload }) => {
    const known = new Map(payload.boards)
    const own = await boardsAmong(services.db, viewer, [...known.keys()])
    socket.data.watched = new Map()
    const all = boardsOf(services.hub.socketsOf(viewer.id), 'watched')
    for (const boardId of own) {
      if (all.size >= WATCHED_MAX && !all.has(boardId)) continue
      all.add(boardId)
      socket.data.watched.set(boardId, known.get(boardId) ?? 0)
    }
  }),

  /** Always answered, so that the page knows the connection lives. A task of another board counts as none. */
  viewing: boardClientMessage(viewing, async ({ services, socket, viewer, payload: { boardId, taskId } }) => {
    const { board } = await grantBoardReading(services.db, viewer, boardId)
    const isThere = taskId !== null && (await boardOfTask(services.db, taskId)) === boardId
    if (!socket.isSubscribed(boardTopic(boardId))) throw conflict('Join the board first')
    services.presence.enter(socket, { boardId, taskId: isThere ? taskId : null })
    const people = services.presence.peopleOn(boardId)
    sendTo(socket, { type: 'presence', payload: { boardId, version: board.version, people } })
  }),

  editing_status: boardClientMessage(editing, async ({ services, socket, viewer, payload }) => {
    const { boardId, element, status } = payload
    const { board } = await grantBoardReading(services.db, viewer, boardId)
    services.presence.noteEditing(socket, status === 'started' ? boardId : null)
    relayToOthers(services, socket, {
      type: 'editing_status',
      payload: { boardId, version: board.version, element, status, userId: viewer.id, user: summaryOf(viewer) },
    })
  }),

  // Checked and dropped: the server announces changes once they are stored.
  board_update: boardClientMessage(boardInput),
}

export const boardsDomain = {
  router: boardsRouter,
  rest: boardsRest,
  clientMessages: boardClientMessages,
  shapes: { Board: board, BoardListItem: boardListItem, DeletedBoard: deletedBoard },
}

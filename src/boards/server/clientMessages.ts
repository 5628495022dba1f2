import { z } from 'zod'
import { id } from '../../schema'
import { conflict, Refusal } from '../../server/errors'
import { boardClientMessage, clientMessage, relayToOthers } from '../../server/live/clientMessages'
import { boardTopic, type Socket, sendTo } from '../../server/live/hub'
import { boardOfTask } from '../../tasks/server/lookup'
import { summaryOf } from '../../users/schema'
import { boardInput, WATCHED_MAX } from '../schema'
import { grantBoardReading, grantJoiningChannel } from './grants'
import { boardsAmong } from './lookup'

const JOINED_MAX = 50
/** On all sockets of a user. */
const JOINED_BY_ONE_MAX = 100

const watching = z.object({ boards: z.array(z.tuple([id, z.number().int().nonnegative()])).max(WATCHED_MAX) })
const viewing = boardInput.extend({ taskId: id.nullable() })
const editing = boardInput.extend({
  element: z.enum(['board_name', 'board_description']),
  status: z.enum(['started', 'ended']),
})

const boardsOf = (sockets: Set<Socket>, kind: 'joined' | 'watched') =>
  new Set([...sockets].flatMap(({ data }) => [...data[kind].keys()]))

export const boardClientMessages = {
  /** Joins under the board's lock, so that no change of board or membership comes in between. */
  join_board: boardClientMessage(boardInput, async ({ services, socket, viewer, payload: { boardId } }) => {
    const joined = boardsOf(services.hub.socketsOf(viewer.id), 'joined')
    const isNew = !socket.data.joined.has(boardId)
    if ((isNew && socket.data.joined.size >= JOINED_MAX) || (joined.size >= JOINED_BY_ONE_MAX && !joined.has(boardId)))
      throw new Refusal('TOO_MANY_REQUESTS', 'Too many boards are open in one page')
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
    relayToOthers(services, socket, {
      type: 'editing_status',
      payload: { boardId, version: board.version, element, status, userId: viewer.id, user: summaryOf(viewer) },
    })
  }),

  // Checked and dropped: the server announces changes once they are stored.
  board_update: boardClientMessage(boardInput),
}

import { z } from 'zod'
import { boardClientMessage, relayToOthers } from '../../server/live/clientMessages'
import { leave, sendTo } from '../../server/live/hub'
import { summaryOf } from '../../users/schema'
import { boardInput } from '../schema'
import { grantBoardReading, grantJoiningChannel } from './grants'

const editing = boardInput.extend({
  element: z.enum(['board_name', 'board_description']),
  status: z.enum(['started', 'ended']),
})

export const boardClientMessages = {
  /** Joins under the board's lock, so that no change or end of the membership can come in between. */
  join_board: boardClientMessage(boardInput, async ({ services, socket, viewer, payload: { boardId } }) => {
    const version = await services.db.transaction(async (db) => {
      const { board } = await grantJoiningChannel(db, viewer, boardId)
      if (socket.readyState === WebSocket.OPEN) services.hub.join(socket, boardId, board.version)
      return board.version
    })
    sendTo(socket, { type: 'joined_board', payload: { boardId, version } })
  }),

  leave_board: boardClientMessage(boardInput, ({ socket, payload }) => leave(socket, payload.boardId)),

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

import { z } from 'zod'
import { id } from '../../schema'
import { boardClientMessage, relayToOthers, sendTo } from '../../server/live/clientMessages'
import { join, leave } from '../../server/live/hub'
import { summaryOf } from '../../users/schema'
import { grantBoardReading, grantJoiningChannel } from './grants'

const ofBoard = z.object({ boardId: id })
const editing = ofBoard.extend({
  element: z.enum(['board_name', 'board_description']),
  status: z.enum(['started', 'ended']),
})

export const boardClientMessages = {
  /** Joins while the board is locked, so that no change, and no end of this membership, can fall in between. */
  join_board: boardClientMessage(ofBoard, async ({ services, socket, viewer, payload: { boardId } }) => {
    const version = await services.db.transaction(async (db) => {
      const { board } = await grantJoiningChannel(db, viewer, boardId)
      if (socket.readyState === WebSocket.OPEN) join(socket, boardId)
      return board.version
    })
    sendTo(socket, { type: 'joined_board', payload: { boardId, version } })
  }),

  leave_board: boardClientMessage(ofBoard, ({ socket, payload }) => leave(socket, payload.boardId)),

  editing_status: boardClientMessage(editing, async ({ services, socket, viewer, payload }) => {
    const { board } = await grantBoardReading(services.db, viewer, payload.boardId)
    relayToOthers(socket, {
      type: 'editing_status',
      payload: { ...payload, version: board.version, userId: viewer.id, user: summaryOf(viewer) },
    })
  }),

  /** Others hear of a change from the server, when it is stored. */
  board_update: boardClientMessage(ofBoard),
}

import { z } from 'zod'
import { id, requiredText, text } from '../../schema'
import { clientMessage, relayToOthers } from '../../server/live/clientMessages'
import { grantTaskReading } from '../../tasks/server/grants'
import { summaryOf } from '../../users/schema'

const ofTask = z.object({ taskId: id, boardId: id.optional() })
const newComment = ofTask.extend({ comment: z.object({ content: requiredText(10_000, 'A comment cannot be blank') }) })

export const commentClientMessages = {
  typing_started: clientMessage(
    ofTask.extend({ element: text(40).optional() }),
    async ({ services, socket, viewer, payload: { taskId } }) => {
      const { board } = await grantTaskReading(services.db, viewer, taskId)
      const about = { boardId: board.id, version: board.version, taskId, userId: viewer.id }
      relayToOthers(socket, { type: 'typing_started', payload: { ...about, user: summaryOf(viewer), element: 'comment' } })
    },
  ),

  typing_stopped: clientMessage(ofTask, async ({ services, socket, viewer, payload: { taskId } }) => {
    const { board } = await grantTaskReading(services.db, viewer, taskId)
    const about = { boardId: board.id, version: board.version, taskId, userId: viewer.id }
    relayToOthers(socket, { type: 'typing_stopped', payload: about })
  }),

  // Checked and dropped: others hear of a change from the server, when it is stored.
  new_comment: clientMessage(newComment),
  comment_updated: clientMessage(ofTask),
  comment_deleted: clientMessage(ofTask),
}

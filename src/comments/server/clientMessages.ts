import { z } from 'zod'
import { id, requiredText, text } from '../../schema'
import { clientMessage, relayToOthers } from '../../server/live/clientMessages'
import { taskInput } from '../../tasks/schema'
import { grantTaskReading } from '../../tasks/server/grants'
import { summaryOf } from '../../users/schema'

const aboutTask = taskInput.extend({ boardId: id.optional() })
const newComment = aboutTask.extend({ comment: z.object({ content: requiredText(10_000, 'A comment cannot be blank') }) })

export const commentClientMessages = {
  typing_started: clientMessage(
    aboutTask.extend({ element: text(40).optional() }),
    async ({ services, socket, viewer, payload: { taskId } }) => {
      const { board } = await grantTaskReading(services.db, viewer, taskId)
      const about = { boardId: board.id, version: board.version, taskId, userId: viewer.id }
      relayToOthers(services, socket, {
        type: 'typing_started',
        payload: { ...about, user: summaryOf(viewer), element: 'comment' },
      })
    },
  ),

  typing_stopped: clientMessage(aboutTask, async ({ services, socket, viewer, payload: { taskId } }) => {
    const { board } = await grantTaskReading(services.db, viewer, taskId)
    const about = { boardId: board.id, version: board.version, taskId, userId: viewer.id }
    relayToOthers(services, socket, { type: 'typing_stopped', payload: about })
  }),

  // Checked and dropped: the server announces changes once they are stored.
  new_comment: clientMessage(newComment),
  comment_updated: clientMessage(aboutTask),
  comment_deleted: clientMessage(aboutTask),
}

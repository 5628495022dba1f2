import { z } from 'zod'
import { id } from '../../schema'
import { clientMessage } from '../../server/live/clientMessages'

const ofTask = z.object({ taskId: id, boardId: id.optional() })

/** Checked and dropped: others hear of a change from the server, when it is stored. */
export const taskClientMessages = {
  task_update: clientMessage(ofTask),
  task_updated: clientMessage(z.object({ task: z.object({ id }), boardId: id.optional() })),
  task_deleted: clientMessage(ofTask),
  task_assignee_added: clientMessage(ofTask),
  task_assignee_removed: clientMessage(ofTask),
}

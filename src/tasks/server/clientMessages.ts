import { z } from 'zod'
import { id } from '../../schema'
import { clientMessage } from '../../server/live/clientMessages'
import { taskInput } from '../schema'

const aboutTask = taskInput.extend({ boardId: id.optional() })

/** Checked and dropped: the server announces changes once they are stored. */
export const taskClientMessages = {
  task_update: clientMessage(aboutTask),
  task_updated: clientMessage(z.object({ task: z.object({ id }), boardId: id.optional() })),
  task_deleted: clientMessage(aboutTask),
  task_assignee_added: clientMessage(aboutTask),
  task_assignee_removed: clientMessage(aboutTask),
}

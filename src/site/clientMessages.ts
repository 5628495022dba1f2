import { boardClientMessages } from '../boards/server/live'
import { commentClientMessages } from '../comments/server/live'
import { taskClientMessages } from '../tasks/server/live'

/** Everything that a client may send on the live channel. */
export const clientMessages = { ...boardClientMessages, ...taskClientMessages, ...commentClientMessages }

import { boardClientMessages } from '../boards/server/live'
import { commentClientMessages } from '../comments/server/live'
import { taskClientMessages } from '../tasks/server/live'

export const clientMessages = { ...boardClientMessages, ...taskClientMessages, ...commentClientMessages }

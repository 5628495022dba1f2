import { boardClientMessages } from '../boards/server/clientMessages'
import { commentClientMessages } from '../comments/server/clientMessages'
import { taskClientMessages } from '../tasks/server/clientMessages'

export const clientMessages = { ...boardClientMessages, ...taskClientMessages, ...commentClientMessages }

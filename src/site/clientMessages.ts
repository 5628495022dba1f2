import { z } from 'zod'
import { boardClientMessages } from '../boards/server/clientMessages'
import { commentClientMessages } from '../comments/server/clientMessages'
import { clientMessage } from '../server/live/clientMessages'
import { sendTo } from '../server/live/hub'
import { taskClientMessages } from '../tasks/server/procedures'

const ping = clientMessage(z.object({}), ({ socket }) => {
  sendTo(socket, { type: 'pong', payload: {} })
})

export const clientMessages = { ping, ...boardClientMessages, ...taskClientMessages, ...commentClientMessages }

import { z } from 'zod'
import { boardClientMessages } from '../boards/server/router'
import { commentClientMessages } from '../comments/server/router'
import { clientMessage } from '../server/live/clientMessages'
import { sendTo } from '../server/live/hub'
import { taskClientMessages } from '../tasks/server/router'

const ping = clientMessage(z.object({}), ({ socket }) => {
  sendTo(socket, { type: 'pong', payload: {} })
})

export const clientMessages = { ping, ...boardClientMessages, ...taskClientMessages, ...commentClientMessages }

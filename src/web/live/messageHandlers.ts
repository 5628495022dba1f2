import type { AnnouncedChange, ServerMessage } from '../../protocol'

export type Receiver = (message: ServerMessage) => void

export type Handlers = {
  [Type in ServerMessage['type']]?: (payload: Extract<ServerMessage, { type: Type }>['payload']) => void
}

export const handle =
  (handlers: Handlers): Receiver =>
  ({ type, payload }) =>
    // TypeScript does not see that the payload is that of the handler's type.
    (handlers[type] as ((given: object) => void) | undefined)?.(payload)

export const isAnnounced = (message: ServerMessage): message is AnnouncedChange => 'by' in message.payload

import type { AnnouncedMessage, Message } from '../../protocol'

export type Receiver = (message: Message) => void

export type Handlers<M extends Message> = { [Type in M['type']]?: (payload: Extract<M, { type: Type }>['payload']) => void }

export const handle =
  <M extends Message>(handlers: Handlers<M>): Receiver =>
  ({ type, payload }) =>
    // A type has one payload, whichever domain sends it.
    (handlers as Record<string, (payload: object) => void>)[type]?.(payload)

export const isAnnounced = (message: Message): message is AnnouncedMessage => 'by' in message.payload

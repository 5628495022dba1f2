import type { z } from 'zod'
import type { ChannelMessage, Received, RelayedMessage } from '../../protocol'
import type { Services } from '../context'
import { requireSignedIn, type SignedIn } from '../session'
import { boardTopic, type Socket } from './hub'

type Handled<Payload> = { services: Services; socket: Socket; viewer: SignedIn; payload: Payload }

/** What clients may send under one name. */
export type ClientMessage = {
  payload: z.ZodType
  /** Names the board to whoever was refused, who then leaves its page. */
  refusedBoard?(payload: unknown): number
  handle(services: Services, socket: Socket, payload: unknown): Promise<void>
}

/** A message that clients may send; one without a handler is checked and dropped. */
export const clientMessage = <Schema extends z.ZodType>(
  payload: Schema,
  handle?: (message: Handled<z.output<Schema>>) => Promise<void> | void,
): ClientMessage => ({
  payload,
  async handle(services, socket, given) {
    // The channel has parsed it by this schema.
    await handle?.({ services, socket, viewer: requireSignedIn(socket.data.session), payload: given as z.output<Schema> })
  },
})

/** As `clientMessage`, about a board: a refusal names it. */
export const boardClientMessage = <Schema extends z.ZodType<{ boardId: number }>>(
  payload: Schema,
  handle?: (message: Handled<z.output<Schema>>) => Promise<void> | void,
): ClientMessage => ({
  ...clientMessage(payload, handle),
  refusedBoard: (given) => (given as z.output<Schema>).boardId,
})

/** Sends a message to one socket. */
export const sendTo = (socket: Socket, message: ChannelMessage) => socket.send(JSON.stringify(message))

/** Relays a message to the other members who have the board open, on this process. */
export const relayToOthers = (socket: Socket, message: Received<RelayedMessage>) =>
  socket.publish(boardTopic(message.payload.boardId), JSON.stringify(message))

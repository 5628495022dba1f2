import type { z } from 'zod'
import { DatabaseUnavailable } from '../../db/failures'
import type { Received, RelayedMessage } from '../../protocol'
import type { Services } from '../context'
import { requireSignedIn, type SignedIn } from '../signedIn'
import { boardTopic, type Socket } from './openSockets'

type Handled<Payload> = { services: Services; socket: Socket; viewer: SignedIn; payload: Payload }

export type MessageHandler = {
  payload: z.ZodType
  /** Names the board in a refusal, so that the client leaves its page. */
  refusedBoard?(payload: unknown): number
  handle(services: Services, socket: Socket, payload: unknown): Promise<void>
}

export const clientMessage = <Schema extends z.ZodType>(
  payload: Schema,
  handle?: (message: Handled<z.output<Schema>>) => Promise<void> | void,
): MessageHandler => ({
  payload,
  async handle(services, socket, given) {
    // websocket.ts has parsed it by this schema.
    await handle?.({ services, socket, viewer: requireSignedIn(socket.data.session).user, payload: given as z.output<Schema> })
  },
})

export const boardClientMessage = <Schema extends z.ZodType<{ boardId: number }>>(
  payload: Schema,
  handle?: (message: Handled<z.output<Schema>>) => Promise<void> | void,
): MessageHandler => ({
  ...clientMessage(payload, handle),
  refusedBoard: (given) => (given as z.output<Schema>).boardId,
})

/** Sends to the other sockets on the board, in this process only. Throws SERVICE_UNAVAILABLE. */
export function relayToOthers({ hub }: Services, socket: Socket, message: Received<RelayedMessage>) {
  if (!hub.isTrusted()) throw new DatabaseUnavailable('membership could not be checked')
  socket.publish(boardTopic(message.payload.boardId), JSON.stringify(message))
}

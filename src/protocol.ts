/**
 * The live channel's messages: `{ type, payload }`, both ways. Who hears a message is part of its type. Each domain adds its
 * own here by declaration merging, from its schema.ts.
 *
 * @public
 */
export interface Messages {
  channel: ChannelMessage
}
type Message = Messages[keyof Messages]

/** A stored change of a board, for everyone who has the board open. */
export type ToOpenBoard<Type extends string, Payload extends object> = { type: Type; to: 'openBoard'; payload: Payload }

/** A stored change of a board, for every page of its members, whatever it shows. */
export type ToMembers<Type extends string, Payload extends object> = { type: Type; to: 'members'; payload: Payload }

/** For every page of one person. */
export type ToUser<Type extends string, Payload extends object> = { type: Type; to: 'user'; payload: Payload }

/** From one member to the others who have the board open; never stored. */
export type Relayed<Type extends string, Payload extends object> = {
  type: Type
  to: 'others'
  payload: Payload & Stamp & { userId: number }
}

/** What every message about a board carries; `version` grows by one with each change of the board. */
type Stamp = { boardId: number; version: number }

/** A stored change of a board, with who is to hear of it. */
export type Announcement = Extract<Message, { to: 'openBoard' | 'members' }>
export type PersonalMessage = Extract<Message, { to: 'user' }>
export type RelayedMessage = Extract<Message, { to: 'others' }>

/** A message as the page receives it, without its address. */
export type Received<M> = M extends { type: infer Type; payload: infer Payload } ? { type: Type; payload: Payload } : never

/** A stored change as the page receives it: with its board, the version that it made, and who made it. */
type Announced<M> = M extends { type: infer Type; payload: infer Payload }
  ? { type: Type; payload: Payload & Stamp & { by: number } }
  : never

/** A stored change of a board, as the page applies it. */
export type BoardChange = Received<Announcement>

/** As `BoardChange`, off the channel. */
export type AnnouncedChange = Announced<Announcement>

/** What the channel itself says to one socket. */
export type ChannelMessage =
  | { type: 'joined_board'; payload: Stamp }
  | { type: 'error'; payload: { message: string; code: string; boardId?: number } }

/** Everything that the server sends. */
export type ServerMessage = AnnouncedChange | Received<PersonalMessage | RelayedMessage> | ChannelMessage

/**
 * What the page sends, by domain; added to as `Messages` is.
 *
 * @public
 */
export interface ClientMessages {
  channel: { type: 'join_board' | 'leave_board'; payload: { boardId: number } }
}
export type ClientMessage = ClientMessages[keyof ClientMessages]

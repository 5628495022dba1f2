/**
 * The live channel's messages: `{ type, payload }`, both ways. Who hears a message is part of its type. Each domain adds its
 * own here by declaration merging, from its schema.ts.
 *
 * @public
 */
export interface Messages {
  channel: ChannelMessage
}
type Known = Messages[keyof Messages]

/** A stored change of a board, for everyone who has the board open. */
export type ToOpenBoard<Type extends string, Payload extends object> = { type: Type; to: 'openBoard'; payload: Payload }

/** A stored change of a board, for every open page of its members. */
export type ToMembers<Type extends string, Payload extends object> = { type: Type; to: 'members'; payload: Payload }

/** For every open page of one user. */
export type ToUser<Type extends string, Payload extends object> = { type: Type; to: 'user'; payload: Payload }

/** From one member to the others who have the board open; never stored. */
export type Relayed<Type extends string, Payload extends object> = {
  type: Type
  to: 'others'
  payload: Payload & Stamp & { userId: number }
}

/** `version` grows by one with each change of the board. */
type Stamp = { boardId: number; version: number }

/** A stored change of a board, with who is to hear of it. */
export type Announcement = Extract<Known, { to: 'openBoard' | 'members' }>
export type PersonalMessage = Extract<Known, { to: 'user' }>
export type RelayedMessage = Extract<Known, { to: 'others' }>

/** A message as the page receives it, without its address. */
export type Received<M> = M extends { type: infer Type; payload: infer Payload } ? { type: Type; payload: Payload } : never

/** A stored change as the page receives it, with the version that it made and the user who made it. */
type Announced<M> = M extends { type: infer Type; payload: infer Payload }
  ? { type: Type; payload: Payload & Stamp & { by: number } }
  : never

/** What the server says about one socket's joins. */
export type ChannelMessage =
  | { type: 'joined_board'; payload: Stamp }
  | { type: 'error'; payload: { message: string; code: string; boardId?: number } }

export type BoardChange = Received<Announcement>
export type AnnouncedChange = Announced<Announcement>

/** Everything that the server sends. */
export type ServerMessage = AnnouncedChange | Received<PersonalMessage | RelayedMessage> | ChannelMessage

/** Any message, for code that does not tell them apart. */
export type Message = { type: string; payload: object }

/**
 * What the page sends, by domain; added to as `Messages` is.
 *
 * @public
 */
export interface ClientMessages {
  channel: { type: 'join_board' | 'leave_board'; payload: { boardId: number } }
}
export type ClientMessage = ClientMessages[keyof ClientMessages]

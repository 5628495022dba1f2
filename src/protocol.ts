/** The live channel's envelope, both ways: `{ type, payload }`. Who hears a message is part of its type. */

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

/** Any message, for code that does not tell them apart. */
export type Message = { type: string; payload: object }

/** Any stored change as the page receives it. */
export type AnnouncedMessage = Message & { payload: Stamp & { by: number } }

/** A stored change of a board. */
type BoardChange = ToOpenBoard<string, object> | ToMembers<string, object>

/** What every message about a board carries; `version` grows by one with each change of the board. */
type Stamp = { boardId: number; version: number }

/** A message as the page receives it, without its address. */
export type Received<M> = M extends { type: infer Type; payload: infer Payload } ? { type: Type; payload: Payload } : never

/** A stored change as the page receives it: with its board, the version that it made, and who made it. */
export type Announced<M extends BoardChange> = M extends { type: infer Type; payload: infer Payload }
  ? { type: Type; payload: Payload & Stamp & { by: number } }
  : never

/** What the channel itself says to one socket. */
export type ChannelMessage =
  | { type: 'joined_board'; payload: Stamp }
  | { type: 'error'; payload: { message: string; code: string; boardId?: number } }

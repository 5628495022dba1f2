/** The live protocol's envelope: `{ type, payload }`. Who hears a message is part of its type. */

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

/** Any message, for code that does not tell them apart. */
export type Message = { type: string; payload: object }

/** Any stored change as the page receives it. */
export type AnnouncedMessage = Message & { payload: Stamp & { by: number } }

type BoardChange = ToOpenBoard<string, object> | ToMembers<string, object>

/** `version` grows by one with each change of the board. */
type Stamp = { boardId: number; version: number }

/** A message as the page receives it, without its address. */
export type Received<M> = M extends { type: infer Type; payload: infer Payload } ? { type: Type; payload: Payload } : never

/** A stored change as the page receives it, with the version that it made and the user who made it. */
export type Announced<M extends BoardChange> = M extends { type: infer Type; payload: infer Payload }
  ? { type: Type; payload: Payload & Stamp & { by: number } }
  : never

/** What the server says about one socket's joins. */
export type ChannelMessage =
  | { type: 'joined_board'; payload: Stamp }
  | { type: 'error'; payload: { message: string; code: string; boardId?: number } }

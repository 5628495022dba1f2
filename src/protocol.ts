/** @public `router` is the type of the server's procedures, which `site/router.ts` adds by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: not empty once merged
export interface Api {}

/** @public The live channel's messages, `{ type, payload }`; domains add theirs by declaration merging. */
export interface Messages {
  channel: ChannelMessage
}
type Known = Messages[keyof Messages]

/** To everyone who has the board open. */
export type ToOpenBoard<Type extends string, Payload extends object> = { type: Type; to: 'openBoard'; payload: Payload }

/** To every open page of the board's members. */
export type ToMembers<Type extends string, Payload extends object> = { type: Type; to: 'members'; payload: Payload }

/** To every open page of one user. */
export type ToUser<Type extends string, Payload extends object> = { type: Type; to: 'user'; payload: Payload }

/** To the other members who have the board open; never stored. */
export type Relayed<Type extends string, Payload extends object> = {
  type: Type
  to: 'others'
  payload: Payload & Stamp & { userId: number }
}

/** `version` grows by one with each change of the board; `key` is the Idempotency-Key of the call that made it. */
type Stamp = { boardId: number; version: number }

export type Announcement = Extract<Known, { to: 'openBoard' | 'members' }>
export type PersonalMessage = Extract<Known, { to: 'user' }>
export type RelayedMessage = Extract<Known, { to: 'others' }>

export type Received<M> = M extends { type: infer Type; payload: infer Payload } ? { type: Type; payload: Payload } : never

type Announced<M> = M extends { type: infer Type; payload: infer Payload }
  ? { type: Type; payload: Payload & Stamp & { by: number; key?: string } }
  : never

/** Someone has the board open, and maybe a task of it. */
export type Presence = { userId: number; taskId: number | null }

export type ChannelMessage =
  | { type: 'joined_board'; payload: Stamp }
  | { type: 'pong'; payload: object }
  | { type: 'boards_changed'; payload: { boardIds: number[] } }
  | { type: 'presence'; payload: Stamp & { people: Presence[] } }
  | { type: 'error'; payload: { message: string; code: string; boardId?: number } }
  | { type: 'messages_missed'; payload: object }

export type BoardChange = Received<Announcement>
export type AnnouncedChange = Announced<Announcement>

export type ServerMessage = AnnouncedChange | Received<PersonalMessage | RelayedMessage> | ChannelMessage

export type Message = { type: string; payload: object }

/** @public What the page sends, by domain. */
export interface ClientMessages {
  channel: { type: 'join_board' | 'leave_board'; payload: { boardId: number } } | { type: 'ping'; payload: object }
}
export type ClientMessage = ClientMessages[keyof ClientMessages]

/** The host's settings that pages follow. */
export type Settings = {
  /** Names the page's build: data stored by another build may have another shape. */
  build: string
  /** Without plans everyone has Pro, and no page mentions plans, payment or support. */
  hasPlans: boolean
  /** `types` are file extensions without a dot, `images`, or `any`. */
  attachments: { maxBytes: number; types: string[] }
}

/** The WebSocket close code for an ended session. */
export const SIGNED_OUT = 4001
/** The board's version after a change, in its answer. */
export const VERSION_HEADER = 'X-Board-Version'

export const done = { success: true } as const

export type RefusalBody = {
  message: string
  code: string
  issues?: { path: string; message: string }[]
  requiresUpgrade?: true
  needsConfirmation?: true
  username?: string
  hasPassword?: true
  retryAfter?: number
  current?: object
  requestId?: string
}

export const LISTED_AT_ONCE = 1_000

/** A row's time and id: the list continues after it even if the row is gone. */
export const cursorAt = (moment: string, id: number) => `${Date.parse(moment)}-${id}`

import type { ServerMessage } from '../../protocol'
import type { Call } from '../client'
import type { MutationTexts } from '../mutationToasts'
import type { Undo } from '../undo'
import type { Change, LiveBoard } from './reducers'
import type { KeptChange } from './storedChanges'
import type { Thing } from './temporaryIds'

/**
 * A kind of change of a board: each change is predicted, kept in the browser until it is answered, and sent in the order
 * in which it was made. The prediction lies over the live cache until the channel has brought what the answer names.
 */
export type ChangeKind<Input, Answer, Board extends LiveBoard = LiveBoard> = {
  /** Kept changes are found by it, also after an update of the page. */
  name: string
  /** In an input, ids of things that may be temporary are called `id`, `before`, `after`, or end in Id or Ids. */
  send(input: Input, call: Call, made: Made): Promise<Answer>
  /** What the server will make of it; `board` is undefined where the page does not hold it. */
  predict?(input: Input, made: Made, board: Board | undefined): Change[]
  /** How to take it back, from the board as it was before and from the answer; null where there is no way, or nothing to. */
  undo?(input: Input, board: Board | undefined, boardId: number): ((answer: Answer) => Undo | null) | null
  /** Its form waits for the answer: predicted only once the server cannot be reached. */
  waits?: true
  /** Never kept: refused where the server cannot be reached. */
  online?: true
  /** The message of what it creates, and how it is named there. The answer is that thing. */
  creates?: { type: ServerMessage['type']; as: Thing }
  /** What is sent of it, without what only the prediction needs. */
  toSend?(input: Input): Input
  /** What was typed, to be copied after a refusal. */
  textOf?(input: Input): string
  /** What it belongs to, such as a task's title, for the same purpose. */
  about?(input: Input, board: Board | undefined): string
  texts?: MutationTexts<Answer, Input>
}

/** How callers name a kind. Only its name is used: a kept change has nothing else, so the rest is looked up by it. */
export type KindRef<Input, Answer> = Pick<ChangeKind<Input, Answer>, 'name' | 'send'>

/** `id` is what a creation is called until the server says; `at` is the time of the click, by the server's clock. */
export type Made = Pick<KeptChange, 'boardId' | 'id' | 'at' | 'isTimed' | 'isSettled' | 'forcedAt'>
type AnyKind = ChangeKind<never, unknown, never>

const kinds = new Map<string, AnyKind>()

export function changeKind<Input, Answer, Board extends LiveBoard = LiveBoard>(kind: ChangeKind<Input, Answer, Board>) {
  kinds.set(kind.name, kind as AnyKind)
  return kind
}

export const kindOf = (name: string): AnyKind | undefined => kinds.get(name)

import type { ServerMessage } from '../../protocol'
import type { Call } from '../client'
import type { MutationTexts } from '../mutationToasts'
import type { Undo } from '../undo'
import type { Change, LiveBoard } from './reducers'
import type { KeptChange } from './storedChanges'
import type { Thing } from './temporaryIds'

/**
 * A kind of change to a board: each change is predicted, kept in the browser until answered, and sent in order. The prediction
 * overlays the live cache until the channel has delivered the answer's version.
 */
export type ChangeKind<Input, Answer, Board extends LiveBoard = LiveBoard> = {
  /** Kept changes are found by it, even after an update of the page. */
  name: string
  /** In inputs, possibly temporary ids are called `id`, `before`, `after`, or end in Id or Ids. */
  send(input: Input, call: Call, made: Made): Promise<Answer>
  /** The predicted effect; `board` is undefined if the page does not have it. */
  predict?(input: Input, made: Made, board: Board | undefined): Change[]
  /** How to undo it, from the earlier board and the answer; null if that is impossible or there is nothing to undo. */
  undo?(input: Input, board: Board | undefined, boardId: number): ((answer: Answer) => Undo | null) | null
  /** Its form waits for the answer; predicted only if the server cannot be reached. */
  waits?: true
  /** Never kept: refused if the server cannot be reached. */
  online?: true
  /** The message announcing what it creates, and the key in its payload. The answer is the created thing. */
  creates?: { type: ServerMessage['type']; as: Thing }
  /** The input to send, without what only the prediction needs. */
  toSend?(input: Input): Input
  /** The typed text, to be copied after a refusal. */
  textOf?(input: Input): string
  /** Where it belongs, such as a task's title, for the same purpose. */
  about?(input: Input, board: Board | undefined): string
  texts?: MutationTexts<Answer, Input>
}

/** A reference to a kind. Kept changes store only the name, so the rest is looked up by it. */
export type KindRef<Input, Answer> = Pick<ChangeKind<Input, Answer>, 'name' | 'send'>

/** `id` is a creation's temporary id; `at` is the time of the click, by the server's clock. */
export type Made = Pick<KeptChange, 'boardId' | 'id' | 'at' | 'isTimed' | 'isSettled' | 'forcedAt'>
type AnyKind = ChangeKind<never, unknown, never>

const kinds = new Map<string, AnyKind>()

export function changeKind<Input, Answer, Board extends LiveBoard = LiveBoard>(kind: ChangeKind<Input, Answer, Board>) {
  kinds.set(kind.name, kind as AnyKind)
  return kind
}

export const kindOf = (name: string): AnyKind | undefined => kinds.get(name)

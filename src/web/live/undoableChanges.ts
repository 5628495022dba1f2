import { useState } from 'react'
import { awaitBeforeUndo, forgetUndos, offerUndo, type Undo } from '../undo'
import { type KindRef, kindOf } from './changeKinds'
import { type OnRefused, type Outcome, submit } from './changeQueue'
import { liveKey } from './liveQuery'
import { predicted } from './predictions'
import { applyToSnapshot, type LiveBoard } from './reducers'

/** Like `submit`, and offers to undo it. */
export function submitWithUndo<Input, Answer>(
  boardId: number,
  kind: KindRef<Input, Answer>,
  input: Input,
  refused?: OnRefused,
): Promise<Outcome<Answer> | undefined> {
  const { hasUndo, undoOf, submitted } = submitUndoable(boardId, kind, input, refused)
  const offer = (answer: Answer | undefined) => {
    const undo = undoOf(answer)
    if (undo) offerUndo(undo)
  }
  const offered = submitted.then((outcome) => {
    if (hasUndo && outcome && outcome.answer === undefined) forgetUndos()
    offer(outcome?.answer)
    void outcome?.later?.then(offer)
    return outcome
  })
  awaitBeforeUndo(offered)
  return offered
}

/** Like `submit`, on the predicted board; `undoOf` its answer says how to undo it, if possible. */
function submitUndoable<Input, Answer>(boardId: number, kind: KindRef<Input, Answer>, input: Input, refused?: OnRefused) {
  const board = predicted<LiveBoard>(liveKey(boardId, 'board'), applyToSnapshot)
  const undo = kindOf(kind.name)?.undo?.(input as never, board as never, boardId)
  return {
    hasUndo: Boolean(undo),
    undoOf: (answer: Answer | undefined) => (answer === undefined ? undefined : undo?.(answer as never)) ?? undefined,
    submitted: submit(boardId, kind, input, board, refused),
  }
}

/** A change to a board, for components; `isPending` until it is answered or kept to be sent later. */
export function useChange<Input, Answer>(boardId: number, kind: KindRef<Input, Answer>) {
  const [running, setRunning] = useState(0)
  const run = async (input: Input, refused?: OnRefused): Promise<Outcome<Answer> | undefined> => {
    setRunning((count) => count + 1)
    try {
      return await submitWithUndo(boardId, kind, input, refused)
    } finally {
      setRunning((count) => count - 1)
    }
  }
  return { run, isPending: running > 0 }
}

export type Part = { kind: KindRef<never, unknown>; input: unknown }

export const part = <Input, Answer>(kind: KindRef<Input, Answer>, input: Input): Part => ({ kind, input })

/** What was done to those that were stored. */
type Describe = (count: number) => Pick<Undo, 'title' | 'description'>

export function submitTogether(boardId: number, parts: Part[], describe: Describe): void {
  awaitBeforeUndo(submitAndOffer(boardId, parts, describe))
}

async function submitAndOffer(boardId: number, parts: Part[], describe: Describe): Promise<void> {
  // Each on the board that the previous one leaves.
  const made = parts.map(({ kind, input }) => submitUndoable(boardId, kind, input as never))
  const outcomes = await Promise.all(made.map(async ({ undoOf, submitted }) => ({ undoOf, ...(await submitted) })))
  const offer = async () => {
    const undos = await Promise.all(outcomes.map(async ({ undoOf, answer, later }) => undoOf(answer ?? (await later))))
    const stored = undos.filter((undo) => undo !== undefined)
    if (stored.length === 0) return
    const { title, description } = describe(stored.length)
    const lost = parts.length - stored.length
    offerUndo({ ...undoAll(stored), title, description: lost > 0 ? `${description} · ${lost} failed` : description })
  }
  if (outcomes.every(({ later }) => later === undefined)) return offer()
  forgetUndos()
  void offer()
}

/** Last first, so that a moved card returns beside one that is already back. Cards that changed otherwise are left alone. */
function undoAll(undos: Undo[]): Pick<Undo, 'run' | 'until'> {
  const undoable = new Set(undos)
  return {
    run: () => Promise.all([...undoable].toReversed().map((undo) => undo.run())),
    until(end) {
      const stops = undos.map((undo) =>
        undo.until?.(() => {
          undoable.delete(undo)
          if (undoable.size === 0) end()
        }),
      )
      return () => {
        for (const stop of stops) stop?.()
      }
    },
  }
}

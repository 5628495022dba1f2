import { awaitBeforeUndo, forgetUndos, offerUndo, type Undo } from '../undo'
import type { KindRef } from './changeKinds'
import { submitUndoable } from './predictions'

export type Part = { kind: KindRef<never, unknown>; input: unknown }

export const part = <Input, Answer>(kind: KindRef<Input, Answer>, input: Input): Part => ({ kind, input })

/** What was done to as many as were stored. */
type Describe = (count: number) => Pick<Undo, 'title' | 'description'>

export function submitTogether(boardId: number, parts: Part[], describe: Describe): void {
  awaitBeforeUndo(submitAndOffer(boardId, parts, describe))
}

async function submitAndOffer(boardId: number, parts: Part[], describe: Describe): Promise<void> {
  // Each on the board as the one before it leaves that.
  const made = parts.map(({ kind, input }) => submitUndoable(boardId, kind, input as never))
  const outcomes = await Promise.all(made.map(async ({ undoOf, submitted }) => ({ undoOf, ...(await submitted) })))
  const offer = async () => {
    const undos = await Promise.all(outcomes.map(async ({ undoOf, answer, later }) => undoOf(answer ?? (await later))))
    const stored = undos.filter((undo) => undo !== undefined)
    if (stored.length === 0) return
    const { title, description } = describe(stored.length)
    const lost = parts.length - stored.length
    offerUndo({ ...undoAll(stored), title, description: lost > 0 ? `${description} · ${lost} not saved` : description })
  }
  if (outcomes.every(({ later }) => later === undefined)) return offer()
  forgetUndos()
  void offer()
}

/** The last first: a moved card goes back beside one that is there again. What came back otherwise is left alone. */
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

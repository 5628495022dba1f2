import { awaitBeforeUndo, forgetUndos, offerUndo, type Undo } from '../undo'
import { type ChangeKind, kindOf } from './changeKinds'
import { submit } from './changeQueue'
import { liveKey } from './liveQuery'
import { predicted } from './predictions'
import { applyToSnapshot, type LiveBoard } from './reducers'

type Kind<Input, Answer> = Pick<ChangeKind<Input, Answer>, 'name' | 'send'>
export type Part = { kind: Kind<never, unknown>; input: unknown }

/** One of several changes that are taken back together. */
export const part = <Input, Answer>(kind: Kind<Input, Answer>, input: Input): Part => ({ kind, input })

/** What was done to as many as were stored. */
type Describe = (count: number) => Pick<Undo, 'title' | 'description'>

export function submitTogether(boardId: number, parts: Part[], describe: Describe): void {
  awaitBeforeUndo(submitAndOffer(boardId, parts, describe))
}

async function submitAndOffer(boardId: number, parts: Part[], describe: Describe): Promise<void> {
  const made = parts.map(({ kind, input }) => {
    // Each on the board as the one before it leaves that.
    const board = predicted<LiveBoard>(liveKey(boardId, 'board'), applyToSnapshot)
    const undo = kindOf(kind.name)?.undo?.(input as never, board as never, boardId)
    return { undo, submitted: submit(boardId, kind, input as never, board) }
  })
  const outcomes = await Promise.all(made.map(async ({ undo, submitted }) => ({ undo, ...(await submitted) })))
  const offer = async () => {
    const undos = await Promise.all(
      outcomes.map(async ({ undo, answer, later }) => {
        const known = answer ?? (await later)
        return known === undefined ? undefined : undo?.(known as never)
      }),
    )
    const stored = undos.filter((undo) => undo !== undefined && undo !== null)
    if (stored.length === 0) return
    const { title, description } = describe(stored.length)
    const lost = parts.length - stored.length
    offerUndo({ ...undoOf(stored), title, description: lost > 0 ? `${description} · ${lost} not saved` : description })
  }
  if (outcomes.every(({ later }) => later === undefined)) return offer()
  forgetUndos()
  void offer()
}

/** The last first: a moved card goes back beside one that is there again. What came back otherwise is left alone. */
function undoOf(undos: Undo[]): Pick<Undo, 'run' | 'until'> {
  const left = new Set(undos)
  return {
    run: () => Promise.all([...left].toReversed().map((undo) => undo.run())),
    until(end) {
      const stops = undos.map((undo) =>
        undo.until?.(() => {
          left.delete(undo)
          if (left.size === 0) end()
        }),
      )
      return () => {
        for (const stop of stops) stop?.()
      }
    },
  }
}

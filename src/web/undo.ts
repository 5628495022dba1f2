import { useSyncExternalStore } from 'react'

/** `text` says what was done, `about` with what. */
export type Undo = { text: string; about?: string; run(): Promise<unknown> }
export type OfferedUndo = Undo & { id: number }

/** As long as what is deleted can be brought back. */
const SHOWN_FOR = 10_000
const SHOWN_AT_ONCE = 3
const KEPT = 50

/** What was done on this page, the last at the end. */
let done: readonly OfferedUndo[] = []
let shown: readonly OfferedUndo[] = []
let lastId = 0
const listeners = new Set<() => void>()

function show(next: readonly OfferedUndo[]) {
  shown = next.slice(-SHOWN_AT_ONCE)
  for (const listener of listeners) listener()
}

export function offerUndo(undo: Undo): void {
  lastId += 1
  const offered = { ...undo, id: lastId }
  done = [...done, offered].slice(-KEPT)
  show([...shown, offered])
  setTimeout(dismissUndo, SHOWN_FOR, offered.id)
}

const dismissUndo = (id: number): void => show(shown.filter((one) => one.id !== id))

export function undo(offered: OfferedUndo): void {
  done = done.filter(({ id }) => id !== offered.id)
  dismissUndo(offered.id)
  void offered.run()
}

let underWay: readonly Promise<unknown>[] = []

/** What will be offered when it has ended, if it is: until then it is not known what was done last. */
export function awaitBeforeUndo(work: Promise<unknown>): void {
  underWay = [...underWay, work]
  const end = () => {
    underWay = underWay.filter((one) => one !== work)
  }
  work.then(end, end)
}

/** Whether there may be something to undo. */
export function undoLast(): boolean {
  if (done.length + underWay.length === 0) return false
  const known = done.at(-1)
  const awaited = underWay.length
  void Promise.allSettled(underWay).then(() => {
    const last = done.at(-1)
    // What was meant came to nothing: what was done before it is not meant.
    if (last && (awaited === 0 || last !== known)) undo(last)
  })
  return true
}

/** For a change that is kept to be sent later, which cannot be undone yet: nothing from before it is undone in its place. */
export function forgetUndos(): void {
  done = []
}

export const useUndos = (): readonly OfferedUndo[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )

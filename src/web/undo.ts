import { isTyping } from './keyboard'
import { dismissToast, type ToastText, toast } from './toast'

/** What was done, in the words of its toast, and how to undo it; `actions` are further choices. */
export type Undo = Pick<ToastText, 'title' | 'description' | 'duration' | 'actions'> & {
  run(): Promise<unknown>
  /** Calls `end` once it is undone elsewhere; returns a function that stops that. */
  until?(end: () => void): () => void
}
type Done = Pick<Undo, 'run'> & { notice: number; stop: (() => void) | undefined }

/** As long as deleted things can be restored. */
const SHOWN_FOR = 10_000
const KEPT = 50

let done: readonly Done[] = []

export function offerUndo({ run, until, actions = [], ...text }: Undo): void {
  const undo = { label: 'Undo', run: () => takeBack(offered) }
  const notice = toast({ duration: SHOWN_FOR, ...text, actions: [...actions, undo] })
  const offered: Done = { run, notice, stop: until?.(() => withdraw(offered)) }
  done = [...done, offered].slice(-KEPT)
}

function withdraw(offered: Done): void {
  done = done.filter((one) => one !== offered)
  dismissToast(offered.notice)
  offered.stop?.()
}

function takeBack(offered: Done): void {
  withdraw(offered)
  void offered.run()
}

let underWay: readonly Promise<unknown>[] = []

/** For a change that may become undoable when it ends; until then the latest change is unknown. */
export function awaitBeforeUndo(work: Promise<unknown>): void {
  underWay = [...underWay, work]
  const end = () => {
    underWay = underWay.filter((one) => one !== work)
  }
  work.then(end, end)
}

/** Undoes the latest change; false if there is none. */
function undoLast(): boolean {
  if (done.length + underWay.length === 0) return false
  const known = done.at(-1)
  const awaited = underWay.length
  void Promise.allSettled(underWay).then(() => {
    const last = done.at(-1)
    // The pending change was refused: do not undo an older one instead.
    if (last && (awaited === 0 || last !== known)) takeBack(last)
  })
  return true
}

/** For a change kept to be sent later, which cannot be undone yet: no earlier one is undone in its place. */
export function forgetUndos(): void {
  done = []
}

/** Undoes the latest change on Ctrl+Z or Cmd+Z; returns a function that ends that. */
export function watchUndoKey(): () => void {
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

function onKey(event: KeyboardEvent) {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
  if (isUndo && !isTyping(event.target) && undoLast()) event.preventDefault()
}

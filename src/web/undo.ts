import { isTyping } from './keyboard'
import { dismissToast, type ToastText, toast } from './toast'

/** What was done, as its notice says it, and how to take it back; `actions` are what else can be done with it. */
export type Undo = Pick<ToastText, 'title' | 'description' | 'duration' | 'actions'> & {
  run(): Promise<unknown>
  /** Calls `end` once it was taken back elsewhere; answers what stops that. */
  until?(end: () => void): () => void
}
type Done = Pick<Undo, 'run'> & { notice: number; stop: (() => void) | undefined }

/** As long as what is deleted can be brought back. */
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

/** What will be offered when it has ended, if it is: until then it is not known what was done last. */
export function awaitBeforeUndo(work: Promise<unknown>): void {
  underWay = [...underWay, work]
  const end = () => {
    underWay = underWay.filter((one) => one !== work)
  }
  work.then(end, end)
}

/** Undoes what was done last; false if there is nothing. */
function undoLast(): boolean {
  if (done.length + underWay.length === 0) return false
  const known = done.at(-1)
  const awaited = underWay.length
  void Promise.allSettled(underWay).then(() => {
    const last = done.at(-1)
    // The change under way was refused: do not undo an older one instead.
    if (last && (awaited === 0 || last !== known)) takeBack(last)
  })
  return true
}

/** For a change that is kept to be sent later, which cannot be undone yet: nothing from before it is undone in its place. */
export function forgetUndos(): void {
  done = []
}

/** Takes back what was done last by Ctrl+Z or Cmd+Z; answers what ends that. */
export function watchUndoKey(): () => void {
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

function onKey(event: KeyboardEvent) {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
  if (isUndo && !isTyping(event.target) && undoLast()) event.preventDefault()
}

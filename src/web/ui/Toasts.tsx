import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { lazyComponent } from '../lazy'
import { dismissToast, holdToast, releaseToast, type ToastEntry, UNTIL_DISMISSED, useToast } from '../toast'
import { FaultId } from './Failure'

/**
 * On a phone, or in a low window, over the top bar, beside the last button there; else at the right, above the columns' foot or the
 * line in which tasks are added, or in the strip that dialogs always leave. So nothing moves for it. Not Radix's own: its toast would take Escape from the
 * dialog or popover that has the focus.
 */
export function Toasts() {
  const entry = useToast()
  return (
    <div className="pointer-events-none fixed top-0 right-14 left-0 z-[60] flex roomy:top-auto roomy:right-0 roomy:bottom-14 roomy:left-auto roomy:above-line:bottom-28 roomy:beside-layer:bottom-0">
      <ol
        aria-live={entry?.variant === 'destructive' ? 'assertive' : 'polite'}
        aria-label={`Notifications (${KEY})`}
        className="max-w-full"
      >
        {entry && <Shown key={entry.id} entry={entry} />}
      </ol>
    </div>
  )
}

const KEY = 'F8'

function Shown({ entry }: { entry: ToastEntry }) {
  const { id, variant } = entry
  const item = usePutAway(entry)
  const [isReached, setReached] = useState(false)
  const before = useRef<Element>(null)
  const returnFocus = () => {
    if (before.current instanceof HTMLElement) before.current.focus()
  }
  useEffect(() => {
    const onKey = ({ key, repeat }: KeyboardEvent) => {
      if (key !== KEY || repeat || item.current?.contains(document.activeElement)) return
      before.current = document.activeElement
      setReached(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [item])
  const parts = (
    <Parts
      entry={entry}
      onLeave={() => {
        // What an action opens returns the focus to where it was before.
        if (isReached) returnFocus()
        dismissToast(id)
      }}
    />
  )
  return (
    <li
      ref={item}
      data-toast
      onPointerEnter={holdToast}
      onPointerLeave={() => isReached || releaseToast()}
      onFocus={holdToast}
      onBlur={() => item.current?.matches(':hover') || releaseToast()}
      onKeyDown={(event) => event.key === 'Escape' && dismissToast(id)}
      className="pointer-events-auto relative mx-2 my-1 flex animate-rise overflow-hidden rounded-card bg-raised py-2 pr-3 pl-4 shadow-panel max-w-[420px] sm:mx-4 sm:my-1.5 sm:min-w-64 sm:max-w-[min(420px,55vw)]"
    >
      <span className={`absolute inset-y-0 left-0 w-[3px] ${variant === 'destructive' ? 'bg-danger' : 'bg-text'}`} />
      {isReached ? (
        <ReachedToast
          title={entry.title}
          onLeave={() => setReached(false)}
          onDismiss={() => dismissToast(id)}
          returnFocus={returnFocus}
          fallback={parts}
          onLost={() => setReached(false)}
        >
          {parts}
        </ReachedToast>
      ) : (
        parts
      )}
    </li>
  )
}

/** Loads with the first key: it is most of a dialog. */
const ReachedToast = lazyComponent(() => import('./ReachedToast').then((module) => module.ReachedToast))

type PartsProps = { entry: ToastEntry; onLeave(): void }

function Parts({ entry: { title, description, actions = [], faultId }, onLeave }: PartsProps) {
  const buttons = actions.map(({ label, run }) => (
    <button
      key={label}
      type="button"
      // A click keeps the focus in the field that is being typed in.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        onLeave()
        run()
      }}
      className="min-h-6 rounded-card font-strong underline underline-offset-4"
    >
      {label}
    </button>
  ))
  return (
    <div className="flex min-w-0 flex-1 items-start gap-3">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4">
        <p className="min-w-0 py-0.5 font-strong">{title}</p>
        {actions.length > 1 && <p className="flex flex-wrap gap-x-4 max-sm:order-last">{buttons}</p>}
        {description && (
          <p dir="auto" className="w-full text-pretty break-words text-quiet text-small">
            {description}
          </p>
        )}
        {faultId && <FaultId id={faultId} />}
      </div>
      {/* One stands beside the text, so that the notice is as low as it can be. */}
      {actions.length === 1 && <p className="self-center">{buttons}</p>}
      <button
        type="button"
        onMouseDown={(event) => event.preventDefault()}
        onClick={onLeave}
        className="grid size-6 shrink-0 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
        aria-label="Dismiss"
      >
        <X className="size-3.5" aria-hidden />
      </button>
    </div>
  )
}

/** On a phone the next touch dismisses news, but not failures or toasts with actions. */
function usePutAway({ id, variant, actions, duration }: ToastEntry) {
  const item = useRef<HTMLLIElement>(null)
  const isNews = variant === 'success' && !actions && duration !== UNTIL_DISMISSED
  useEffect(() => {
    if (!isNews) return
    const onPointerDown = ({ pointerType, target }: PointerEvent) => {
      if (pointerType === 'touch' && target instanceof Node && !item.current?.contains(target)) dismissToast(id)
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  }, [id, isNews])
  return item
}

import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { dismissToast, pauseToast, resumeToast, type ToastEntry, UNTIL_DISMISSED, useToast } from '../toast'
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
      <ol aria-live={entry?.variant === 'destructive' ? 'assertive' : 'polite'} aria-label="Notifications" className="max-w-full">
        {entry && <Shown key={entry.id} entry={entry} />}
      </ol>
    </div>
  )
}

function Shown({ entry }: { entry: ToastEntry }) {
  const { id, variant, title, description, actions, faultId } = entry
  const item = usePutAway(entry)
  const buttons = actions?.map(({ label, run }) => (
    <button
      key={label}
      type="button"
      onClick={() => {
        dismissToast(id)
        run()
      }}
      className="min-h-6 rounded-card font-strong underline underline-offset-4"
    >
      {label}
    </button>
  ))
  return (
    <li
      ref={item}
      data-toast
      onPointerEnter={pauseToast}
      onPointerLeave={resumeToast}
      onFocus={pauseToast}
      onBlur={resumeToast}
      onKeyDown={(event) => event.key === 'Escape' && dismissToast(id)}
      className="pointer-events-auto relative mx-2 my-1 flex animate-rise items-start gap-3 overflow-hidden rounded-card bg-raised py-2 pr-3 pl-4 shadow-panel max-w-[420px] sm:mx-4 sm:my-1.5 sm:min-w-64 sm:max-w-[min(420px,55vw)]"
    >
      <span className={`absolute inset-y-0 left-0 w-[3px] ${variant === 'destructive' ? 'bg-danger' : 'bg-text'}`} />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-0.5 py-0.5">
        <p className="font-strong">{title}</p>
        {description && (
          <p dir="auto" className="max-w-full text-pretty break-words text-quiet text-small">
            {description}
          </p>
        )}
        {faultId && <FaultId id={faultId} />}
        {actions && actions.length > 1 && <p className="flex flex-wrap gap-x-4">{buttons}</p>}
      </div>
      {/* One stands beside the text, so that the notice is as low as it can be. */}
      {actions?.length === 1 && <p className="self-center">{buttons}</p>}
      <button
        type="button"
        onClick={() => dismissToast(id)}
        className="grid size-6 shrink-0 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
        aria-label="Dismiss"
      >
        <X className="size-3.5" aria-hidden />
      </button>
    </li>
  )
}

/** On a phone the next touch dismisses news, but not failures or toasts with actions. */
function usePutAway({ id, variant, actions, until }: ToastEntry) {
  const item = useRef<HTMLLIElement>(null)
  const isNews = variant === 'success' && !actions && until !== UNTIL_DISMISSED
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

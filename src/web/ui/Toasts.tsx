import X from 'lucide-react/icons/x'
import * as Radix from 'radix-ui/dialog'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { dismissToast, holdToast, releaseToast, type ToastEntry, UNTIL_DISMISSED, useToast } from '../toast'
import { SmallIconButton } from './Button'
import { FaultId } from './Failure'

/** Not Radix's own, whose toasts would take Escape from the focused dialog or popover. */
export function Toasts() {
  const entry = useToast()
  return (
    <div className="toasts">
      <ol
        aria-live={entry?.variant === 'destructive' ? 'assertive' : 'polite'}
        aria-label={`Notifications (${KEY})`}
        className="max-w-full max-sm:grow"
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
  const leave = () => {
    // Whatever an action opens returns the focus to where it was before.
    if (item.current?.contains(document.activeElement)) returnFocus()
    dismissToast(id)
  }
  const parts = <Parts entry={entry} onLeave={leave} />
  return (
    <li
      ref={item}
      data-toast
      onPointerEnter={holdToast}
      onPointerLeave={() => isReached || releaseToast()}
      onFocus={holdToast}
      onBlur={() => item.current?.matches(':hover') || releaseToast()}
      onKeyDown={(event) => event.key === 'Escape' && leave()}
      className="toast animate-rise shadow-panel"
    >
      {variant === 'destructive' && <span className="absolute inset-y-0 left-0 w-[3px] bg-danger" />}
      {isReached ? (
        <Focused
          title={entry.title}
          onLeave={() => setReached(false)}
          onDismiss={() => dismissToast(id)}
          returnFocus={returnFocus}
        >
          {parts}
        </Focused>
      ) : (
        parts
      )}
    </li>
  )
}

type FocusedProps = { title: string; onLeave(): void; onDismiss(): void; returnFocus(): void; children: ReactNode }

/** A focused toast. It is a dialog, so that one below takes neither the focus nor Escape. */
const Focused = ({ title, onLeave, onDismiss, returnFocus, children }: FocusedProps) => (
  <Radix.Root open modal={false} onOpenChange={onLeave}>
    <Radix.Content
      aria-describedby={undefined}
      onEscapeKeyDown={(event) => {
        event.preventDefault()
        onDismiss()
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        returnFocus()
      }}
      className="flex min-w-0 flex-1"
    >
      <Radix.Title className="sr-only">{title}</Radix.Title>
      {children}
    </Radix.Content>
  </Radix.Root>
)

type PartsProps = { entry: ToastEntry; onLeave(): void }

function Parts({ entry: { title, description, actions = [], faultId }, onLeave }: PartsProps) {
  const buttons = actions.map(({ label, run }) => (
    <button
      key={label}
      type="button"
      data-ignore-second-press
      // A click keeps the focus in the field being typed in.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        onLeave()
        run()
      }}
      className="min-h-6 rounded-card underline underline-offset-4"
    >
      {label}
    </button>
  ))
  return (
    <div className="flex min-w-0 flex-1 items-start gap-3">
      <div className="min-w-0 flex-1">
        <p className="py-0.5 font-strong">{title}</p>
        {description && (
          <p dir="auto" className="text-pretty break-words text-quiet text-small">
            {description}
          </p>
        )}
        {faultId && <FaultId id={faultId} />}
        {actions.length > 1 && <p className="toast-actions">{buttons}</p>}
      </div>
      {/* A single action goes beside the text, to keep the toast low. */}
      {actions.length === 1 && <p className="self-center">{buttons}</p>}
      <SmallIconButton
        icon={X}
        label="Dismiss"
        onMouseDown={(event) => event.preventDefault()}
        onClick={onLeave}
        className={`rounded-card hover:bg-hover ${actions.length === 1 ? 'self-center' : ''}`}
      />
    </div>
  )
}

/** On a phone the next touch dismisses plain notices, but not failures or toasts with actions. */
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

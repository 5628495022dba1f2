import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { dismissToast, useToasts } from '../toast'

const SHOWN_FOR = 5_000

/** Toasts at the top, or bottom right on wide screens; at most 420 px wide (product.md, section 2). */
export function Toasts() {
  const toasts = useToasts()
  return (
    <Toast.Provider duration={SHOWN_FOR} swipeDirection="right">
      {toasts.map((entry) => (
        <Toast.Root
          key={entry.id}
          duration={entry.duration ?? SHOWN_FOR}
          type={entry.variant === 'destructive' ? 'foreground' : 'background'}
          onOpenChange={(open) => !open && dismissToast(entry.id)}
          className={`pointer-events-auto flex animate-rise items-start gap-3 rounded-card bg-raised p-3.5 shadow-panel ${entry.variant === 'destructive' ? 'border-danger border-l-3' : 'border-text border-l-3'}`}
        >
          <div className="min-w-0 flex-1">
            <Toast.Title className="font-strong">{entry.title}</Toast.Title>
            {entry.description && (
              <Toast.Description className="mt-0.5 break-words text-quiet">{entry.description}</Toast.Description>
            )}
            {entry.action && (
              <Toast.Action
                altText={entry.action.label}
                onClick={entry.action.run}
                className="mt-2 font-strong text-accent hover:underline"
              >
                {entry.action.label}
              </Toast.Action>
            )}
          </div>
          <Toast.Close
            className="grid size-6 shrink-0 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
            aria-label="Dismiss"
          >
            <X className="size-3.5" aria-hidden />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="pointer-events-none fixed top-0 right-0 z-[60] flex w-full max-w-[420px] flex-col gap-2 p-4 outline-none sm:top-auto sm:bottom-0" />
    </Toast.Provider>
  )
}

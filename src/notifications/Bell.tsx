import { Bell as Icon } from 'lucide-react'
import { Popover } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import { useInbox } from './cache'

const InboxList = lazy(() => import('./InboxList').then((module) => ({ default: module.InboxList })))

/** The inbox: how much of it is unread, and behind that, what it is. */
export function Bell() {
  const [open, setOpen] = useState(false)
  const { unread } = useInbox()
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
        className="relative grid size-9 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
      >
        <Icon className="size-4.5" aria-hidden />
        {unread > 0 && (
          <span
            aria-hidden
            className="tabular absolute top-0.5 right-0 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 font-strong text-[0.6875rem] text-inverse leading-none"
          >
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </Popover.Trigger>
      <p className="sr-only" role="status">
        {unread > 0 && `${unread} unread ${unread === 1 ? 'notification' : 'notifications'}`}
      </p>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Notifications"
          className="z-50 flex max-h-[min(70dvh,36rem)] w-96 max-w-[calc(100vw-1.5rem)] animate-rise flex-col rounded-panel bg-raised shadow-panel focus:outline-none"
        >
          <Suspense fallback={<div className="h-40" aria-busy />}>
            <InboxList onLeave={() => setOpen(false)} />
          </Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

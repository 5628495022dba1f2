import Icon from 'lucide-react/icons/bell'
import { useState } from 'react'
import { lazyComponent } from '../../web/lazyComponent'
import { ICON_BUTTON } from '../../web/ui/Button'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { readInboxAgain, useInbox } from './cache'

const InboxList = lazyComponent(() => import('./InboxList').then((module) => module.InboxList))

export function Bell() {
  const [open, setOpen] = useState(false)
  const { unread } = useInbox()
  const show = (shown: boolean) => {
    setOpen(shown)
    // Deletions on boards that are not open here are not announced.
    if (shown) readInboxAgain()
  }
  return (
    <>
      <Popover
        open={open}
        onOpenChange={show}
        trigger={
          <button
            type="button"
            aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
            className={`relative ${ICON_BUTTON}`}
          >
            <Icon className="size-4.5" aria-hidden />
            {unread > 0 && (
              <span aria-hidden className="bell-count">
                {unread > 99 ? '99+' : unread}
              </span>
            )}
          </button>
        }
      >
        <PopoverPanel label="Notifications" className="z-50 w-96 max-sm:w-[calc(100vw-2rem)] md:max-lg:-translate-x-2">
          <InboxList
            fallback={<div className="skeleton-people m-4 h-36" aria-busy />}
            onLost={() => setOpen(false)}
            onLeave={() => setOpen(false)}
          />
        </PopoverPanel>
      </Popover>
      <p className="sr-only" role="status">
        {unread > 0 && `${unread} unread ${unread === 1 ? 'notification' : 'notifications'}`}
      </p>
    </>
  )
}

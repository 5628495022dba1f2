import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/TryAgain'
import type { Notification } from '../schema'
import { useInbox, useMarkRead } from './cache'
import { groupsOf } from './groups'
import { InboxGroup } from './InboxGroup'

export function InboxList({ onLeave }: { onLeave(): void }) {
  const { all, unread, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInbox()
  const mark = useMarkRead()
  const leave = (notification?: Notification) => {
    if (notification && !notification.readAt) mark.mutate([notification.id])
    onLeave()
  }
  return (
    <>
      <header className="flex min-h-12 shrink-0 items-center justify-between gap-2 border-line border-b pr-2 pl-4">
        <h2 className="font-strong">Notifications</h2>
        {unread > 0 && (
          <Button look="quiet" size="small" busy={mark.isPending} onClick={() => mark.mutate(undefined)}>
            Mark all as read
          </Button>
        )}
      </header>
      <div className="min-h-0 overflow-y-auto overscroll-contain p-1.5">
        {!all && error && (
          <TryAgain busy={isFetching} retry={() => void refetch()} error={error} className="p-2.5">
            Your notifications could not be loaded.
          </TryAgain>
        )}
        {!all && !error && <Loading />}
        {all?.length === 0 && (
          <p className="p-2.5 text-quiet">Nothing yet. What others do on your tasks and boards shows up here.</p>
        )}
        <ul>
          {groupsOf(all ?? []).map((group) => (
            <InboxGroup key={group.key} group={group} onLeave={leave} />
          ))}
        </ul>
        {hasNextPage && (
          <Button look="quiet" className="w-full" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        )}
      </div>
    </>
  )
}

const Loading = () => (
  <div role="status" aria-label="Loading notifications" className="flex animate-pulse flex-col gap-4 p-2.5">
    {[1, 2, 3].map((row) => (
      <div key={row} className="flex gap-3">
        <span className="size-6 rounded-full bg-column" />
        <span className="h-10 flex-1 rounded-card bg-column" />
      </div>
    ))}
  </div>
)

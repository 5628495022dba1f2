import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useViewer } from '../../users/page/viewer'
import { client } from '../../web/client'
import { useMayRead, useReadAgain } from '../../web/live/rereads'
import { useLiveMessages } from '../../web/live/socket'
import { isTemporary } from '../../web/live/temporaryIds'
import { queryClient, trpc } from '../../web/queryClient'
import type { Inbox, Notification } from '../schema'

const inboxQuery = () =>
  trpc.notifications.list.infiniteQueryOptions(
    {},
    { getNextPageParam: ({ notifications, more }) => (more ? notifications.at(-1)?.id : undefined) },
  )

export function useInbox() {
  const query = useInfiniteQuery({ ...inboxQuery(), enabled: useMayRead() })
  return { ...query, unread: query.data?.pages[0]?.unread ?? 0, all: query.data?.pages.flatMap((page) => page.notifications) }
}

/** Use once a page. */
export function useLiveInbox(): void {
  const viewer = useViewer()
  useLiveMessages({
    // Nothing of a board that the viewer left is shown.
    board_member_removed: ({ userId }) => userId === viewer.id && readInboxAgain(),
    notification_added: ({ notification }) => applyMessage((pages) => withAdded(pages, notification)),
    board_deleted: readInboxAgain,
    board_restored: readInboxAgain,
    notifications_read: ({ ids, unread }) => applyMessage((pages) => withRead(pages, ids, unread)),
  })
  useReadAgain(readInboxAgain)
}

export const readInboxAgain = () => void queryClient.invalidateQueries(inboxQuery())

function applyMessage(by: (pages: Inbox[]) => Inbox[]) {
  change(by)
  // A read under way may be older than the message.
  if (queryClient.isFetching(inboxQuery())) readInboxAgain()
}

const change = (by: (pages: Inbox[]) => Inbox[]) =>
  queryClient.setQueryData(inboxQuery().queryKey, (data) => data && { ...data, pages: by(data.pages) })

function withAdded(pages: Inbox[], added: Notification): Inbox[] {
  if (pages.some((page) => page.notifications.some(({ id }) => id === added.id))) return pages
  return pages.map((page, index) =>
    index === 0 ? { ...page, unread: page.unread + 1, notifications: [added, ...page.notifications] } : page,
  )
}

function withRead(pages: Inbox[], ids: number[] | null, unread: number): Inbox[] {
  const readAt = new Date().toISOString()
  const isMeant = ({ id }: Notification) => ids === null || ids.includes(id)
  return pages.map((page) => ({
    ...page,
    unread,
    notifications: page.notifications.map((one) => (isMeant(one) && !one.readAt ? { ...one, readAt } : one)),
  }))
}

/** Marks the open task's notifications as read, also new ones. */
export function useMarkTaskRead(taskId: number): void {
  const { unread } = useInbox()
  const isLooking = useIsVisible() && !isTemporary(taskId)
  const hasUnread = unread > 0
  const read = (id: number) =>
    void client.notifications.read.mutate({ taskId: id }).catch((error: unknown) => console.warn('Not marked as read', error))
  useEffect(() => {
    if (isLooking && hasUnread) read(taskId)
  }, [isLooking, hasUnread, taskId])
  useLiveMessages({
    notification_added({ notification: { task } }) {
      if (isLooking && task?.id === taskId) read(taskId)
    },
  })
}

const useIsVisible = () =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => document.visibilityState === 'visible',
  )

export function useMarkRead() {
  return useMutation({
    mutationFn: (ids?: number[]) => client.notifications.read.mutate({ ids }),
    onSuccess: ({ unread }, ids) => change((pages) => withRead(pages, ids ?? null, unread)),
    meta: { failure: { title: 'Update Failed', description: 'Could not mark it as read. Please try again.' } },
  })
}

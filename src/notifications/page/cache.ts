import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useViewer } from '../../users/page/viewer'
import { client } from '../../web/client'
import { serverNow } from '../../web/clock'
import { useMayRead, useReadAgain } from '../../web/live/rereads'
import { type Handlers, useLiveMessages } from '../../web/live/socket'
import { isTemporary } from '../../web/live/temporaryIds'
import { queryClient, trpc } from '../../web/queryClient'
import { throttled } from '../../web/scheduling'
import type { Inbox, Notification, NotificationKind } from '../schema'

const inboxQuery = () =>
  trpc.notifications.list.infiniteQueryOptions(
    {},
    { getNextPageParam: ({ notifications, more }) => (more ? notifications.at(-1)?.id : undefined) },
  )

export function useInbox() {
  const query = useInfiniteQuery({ ...inboxQuery(), enabled: useMayRead() })
  return { ...query, unread: query.data?.pages[0]?.unread ?? 0, all: query.data?.pages.flatMap((page) => page.notifications) }
}

/** Use once per page. */
export function useLiveInbox(): void {
  const viewer = useViewer()
  useLiveMessages({
    // Nothing of a board that the viewer left is shown.
    board_member_removed: ({ userId }) => userId === viewer.id && readInboxAgain(),
    notification_added({ notification: { id, commentId }, notification }) {
      applyMessage((pages) => withAdded(pages, notification))
      const isReplaced: IsMeant = (one) => one.commentId === commentId && one.id !== id
      if (commentId !== null && mayHold(isReplaced)) readSoon()
    },
    board_deleted: readInboxAgain,
    board_restored: readInboxAgain,
    notifications_read: ({ ids, unread }) => applyRead(({ id }) => ids.includes(id), unread),
    ...withTheirCauses,
  })
  useReadAgain(readInboxAgain)
}

const readAgain = () => queryClient.invalidateQueries(inboxQuery())
export const readInboxAgain = () => void readAgain()
const readSoon = throttled(readAgain)

type IsMeant = (notification: Notification) => boolean

/** Tasks, comments and time entries deleted with their notifications; they may be restored. */
const deleted = new Set<string>()

/** A notification is deleted and restored with its task, comment or time entry. */
const withTheirCauses: Handlers = {
  task_deleted: ({ taskId }) => onDeleted(`task ${taskId}`, ({ task }) => task?.id === taskId),
  new_task: ({ task }) => onRestored(`task ${task.id}`, serverNow() - Date.parse(task.createdAt) > NEW_FOR_MS),
  comment_updated: ({ comment }) => mayHold(({ commentId }) => commentId === comment.id) && readSoon(),
  comment_deleted: (gone) => onDeleted(`comment ${gone.commentId}`, ({ commentId }) => commentId === gone.commentId),
  new_comment: ({ comment }) => onRestored(`comment ${comment.id}`),
  time_entry_deleted: ({ entryId, taskId }) => onDeleted(`entry ${entryId}`, (one) => isOfTime(one, taskId)),
  time_entry_added: ({ entry }) => onRestored(`entry ${entry.id}`),
  // Notifications show the entry's note, and undoing a timer's stop deletes some.
  time_entry_updated: ({ taskId }) => mayHold((one) => isOfTime(one, taskId)) && readSoon(),
}

/** An older task that is announced as new was restored: it may have been deleted before this page was loaded. */
const NEW_FOR_MS = 60_000

const OF_TIME: readonly NotificationKind[] = ['logged', 'started', 'corrected']

/** Notifications do not name their time entry. */
const isOfTime = ({ kind, task }: Notification, taskId: number) => OF_TIME.includes(kind) && task?.id === taskId

function onDeleted(what: string, isMeant: IsMeant) {
  if (!mayHold(isMeant)) return
  deleted.add(what)
  readSoon()
}

function onRestored(what: string, isOld = false) {
  if (deleted.delete(what) || isOld) readSoon()
}

/** Also true while the inbox is being read, or if it counts unread notifications that it has not loaded. */
function mayHold(isMeant: IsMeant): boolean {
  if (queryClient.isFetching(inboxQuery())) return true
  const { all, unread } = known()
  return all.some(isMeant) || unread > all.filter(isUnread).length
}

const isUnread = ({ readAt }: Notification) => !readAt

function known() {
  const { pages = [] } = queryClient.getQueryData(inboxQuery().queryKey) ?? {}
  return { all: pages.flatMap(({ notifications }) => notifications), unread: pages[0]?.unread ?? 0 }
}

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

function applyRead(isMeant: IsMeant, unread: number) {
  applyMessage((pages) => withRead(pages, isMeant, unread))
  // Another one arrived meanwhile: the count does not include it.
  if (known().all.filter(isUnread).length > unread) readInboxAgain()
}

function withRead(pages: Inbox[], isMeant: IsMeant, unread: number): Inbox[] {
  const readAt = new Date().toISOString()
  return pages.map((page) => ({
    ...page,
    unread,
    notifications: page.notifications.map((one) => (isMeant(one) && !one.readAt ? { ...one, readAt } : one)),
  }))
}

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

/** Some of them, or all up to the newest that is shown. */
type Marked = { ids: number[] } | { upTo: number }

export function useMarkRead() {
  return useMutation({
    mutationFn: (marked: Marked) => client.notifications.read.mutate(marked),
    onSuccess: ({ unread }, marked) =>
      applyRead(({ id }) => ('upTo' in marked ? id <= marked.upTo : marked.ids.includes(id)), unread),
    meta: { failure: { title: 'Update Failed', description: 'Could not mark it as read. Please try again.' } },
  })
}

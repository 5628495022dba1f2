import { useQuery } from '@tanstack/react-query'
import { boardsQuery } from '../../boards/page/cache'
import { type Days, shortDay } from '../../days'
import type { TaskMessage } from '../../tasks/schema'
import { client } from '../../web/client'
import { ownZone } from '../../web/clock'
import { EVERY_BOARD, liveKey, liveQuery } from '../../web/live/liveQuery'
import { useLive } from '../../web/live/predictions'
import { applyChange, type Change, isAnnounced, type Reducers } from '../../web/live/reducers'
import { useMayRead, useReadAgain } from '../../web/live/rereads'
import { useEveryLiveMessage } from '../../web/live/socket'
import { queryClient } from '../../web/queryClient'
import { useDraft } from '../../web/useDraft'
import { elapsedMs, wholeMinutes } from '../limits'
import type { MyTime, SheetTask, TimeEntry, TimeEntryMessage, Timer } from '../schema'
import { withBoard } from './reducers'
import { boardNameOf, viewerNow, withClock } from './timersCache'

export type Row = { id: number; boardId: number; title: string; entries: Timer[] }
export type Group = { boardId: number; board: string; rows: Row[] }

const order = new Intl.Collator(undefined, { numeric: true })

/** Tasks with time and tasks added as rows, by board and title. */
export function groupsOf(entries: Timer[], added: SheetTask[]): Group[] {
  const rows = new Map<number, Row & { board: string }>()
  for (const { id, boardId, title, board } of added) rows.set(id, { id, boardId, title, board, entries: [] })
  for (const entry of entries) {
    const { taskId: id, boardId, task: title, board } = entry
    const row = rows.get(id) ?? { id, boardId, title, board, entries: [] }
    rows.set(id, { ...row, title, board, entries: [...row.entries, entry] })
  }
  const byTitle = [...rows.values()].sort((a, b) => order.compare(a.title, b.title) || a.id - b.id)
  const groups = Map.groupBy(byTitle, ({ boardId }) => boardId)
  return [...groups]
    .map(([boardId, rows]) => ({ boardId, board: rows[0]?.board ?? '', rows }))
    .sort((a, b) => order.compare(a.board, b.board) || a.boardId - b.boardId)
}

/** `now` is the server's clock; a running timer counts. */
export const minutesOf = (entries: readonly Timer[], now: number): number =>
  entries.reduce((sum, entry) => sum + (entry.runningSince ? wholeMinutes(elapsedMs(entry, now)) : entry.duration), 0)

/** "Nov 16 – 22, 2026" */
export function weekText({ from, to }: Days): string {
  const last = from.slice(0, 7) === to.slice(0, 7) ? String(Number(to.slice(8))) : shortDay(to)
  const year = from.slice(0, 4) === to.slice(0, 4) ? '' : `, ${from.slice(0, 4)}`
  return `${shortDay(from)}${year} – ${last}, ${to.slice(0, 4)}`
}

/** Rows that the viewer added to a week, kept until the tab closes; `others` are likely tasks without a row. */
export function useRows(from: string, time: MyTime | undefined) {
  const draft = useDraft(`time-rows-${from}`, { tasks: '' })
  const kept = tasksIn(draft.values.tasks)
  const boards = useQuery(boardsQuery()).data
  const isOpen = ({ boardId }: SheetTask) => !boards || boards.some(({ id, locked }) => id === boardId && !locked)
  const tasks = time?.tasks ?? []
  const rowIds = new Set([...kept.map(({ id }) => id), ...(time?.entries.map(({ taskId }) => taskId) ?? [])])
  return {
    // By its current title, if known.
    added: kept.map((task) => tasks.find(({ id }) => id === task.id) ?? task).filter(isOpen),
    others: tasks.filter((task) => !rowIds.has(task.id) && isOpen(task)),
    isOpen,
    add(task: SheetTask) {
      if (!rowIds.has(task.id)) draft.type({ tasks: JSON.stringify([...kept, task]) })
    },
  }
}

function tasksIn(text: string): SheetTask[] {
  return text === '' ? [] : (JSON.parse(text) as SheetTask[])
}

const readDays = (days: Days, signal: AbortSignal): Promise<MyTime> =>
  withClock(() => client.time.mine.query({ ...days, timeZone: ownZone() }, { signal }))

const readAgain = () => void queryClient.invalidateQueries({ queryKey: liveKey(EVERY_BOARD, 'mine') })

/** Messages that remove entries, or bring them back, without naming them: a new task may be a restored one. */
const MOVES_TIME = new Set(['task_deleted', 'new_task', 'board_deleted', 'board_restored', 'board_member_removed'])

/** The viewer's time of some days; reread when shown and on focus, because only open boards hear of new names. */
export function useMyTime({ from, to }: Days) {
  const query = {
    ...liveQuery({ key: [EVERY_BOARD, 'mine', from], read: (signal) => readDays({ from, to }, signal), apply }),
    refetchOnMount: 'always' as const,
    refetchOnWindowFocus: 'always' as const,
    enabled: useMayRead(),
  }
  useEveryLiveMessage((message) => {
    if (isAnnounced(message) && MOVES_TIME.has(message.type)) readAgain()
  })
  useReadAgain(readAgain)
  return useLive(query, apply)
}

const apply = (time: MyTime, change: Change): MyTime => applyChange(reducersOf(viewerNow()?.id ?? 0), time, change)

function reducersOf(userId: number): Reducers<MyTime, TimeEntryMessage | TaskMessage> {
  const put = (time: MyTime, { entry }: { entry: TimeEntry }) => (entry.userId === userId ? withEntry(time, entry) : time)
  return {
    time_entry_added: put,
    time_entry_updated: put,
    time_entry_deleted: (time, { entryId }) => ({ ...time, entries: time.entries.filter(({ id }) => id !== entryId) }),
    task_updated: (time, { task: { id, title, status } }) => ({
      ...time,
      entries: time.entries.map((entry) => (entry.taskId === id ? { ...entry, task: title } : entry)),
      tasks: time.tasks.map((task) => (task.id === id ? { ...task, title, status } : task)),
    }),
  }
}

function withEntry(time: MyTime, entry: TimeEntry): MyTime {
  const others = time.entries.filter(({ id }) => id !== entry.id)
  if (entry.day < time.from || entry.day > time.to) return { ...time, entries: others }
  return { ...time, entries: [...others, withBoard(entry, [...time.entries, ...time.tasks], boardNameOf)] }
}

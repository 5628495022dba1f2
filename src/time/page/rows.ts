import { useQuery } from '@tanstack/react-query'
import { boardsQuery } from '../../boards/page/cache'
import { type Days, shortDay } from '../../days'
import { useDraft } from '../../web/useDraft'
import { elapsedMs, wholeMinutes } from '../limits'
import type { MyTime, SheetTask, Timer } from '../schema'

export type Row = { id: number; boardId: number; title: string; entries: Timer[] }
export type Group = { boardId: number; board: string; rows: Row[] }

const order = new Intl.Collator(undefined, { numeric: true })

/** The tasks that were worked on and those added as rows, by boards and titles. */
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

/** The rows that the viewer added to a week, until the tab is closed; `others` are likely tasks without a row. */
export function useRows(from: string, time: MyTime | undefined) {
  const draft = useDraft(`time-rows-${from}`, { tasks: '' })
  const kept = tasksIn(draft.values.tasks)
  const boards = useQuery(boardsQuery()).data
  const isOpen = ({ boardId }: SheetTask) => !boards || boards.some(({ id, locked }) => id === boardId && !locked)
  const tasks = time?.tasks ?? []
  const rowIds = new Set([...kept.map(({ id }) => id), ...(time?.entries.map(({ taskId }) => taskId) ?? [])])
  return {
    // As it is called now, where that is known.
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

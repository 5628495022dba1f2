import { RESTORABLE_DAYS } from '../../boards/limits'
import { countText, durationText, listText } from '../../format'
import { lazy } from '../../lazy'
import type { UserSummary } from '../../users/schema'
import type { Status } from '../limits'
import type { RunningTimer, Task } from '../schema'

export function tagsOf(tasks: readonly { tags: string[] }[]): string[] {
  const tags = new Set<string>()
  for (const task of tasks) for (const tag of task.tags) tags.add(tag)
  return [...tags].sort((a, b) => a.localeCompare(b))
}

export type Day = 'past' | 'today' | 'ahead'

export function dayState(day: string, today: string): Day {
  if (day === today) return 'today'
  return day < today ? 'past' : 'ahead'
}

const commentsText = (count: number): string => countText(count, 'comment')

export const TAGS_SHOWN = 3

export const TITLE_SHOWN = 28
/** With less than this before the last space, the long word is cut instead. */
const TITLE_SHOWN_AT_LEAST = 14
const letters = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }))

/** A title as a card shows it: cut at the end of a word, never within a grapheme. */
export function cutTitle(title: string): { shown: string; rest: string } {
  if (title.length <= TITLE_SHOWN) return { shown: title, rest: '' }
  const [next] = [...letters().segment(title)].slice(TITLE_SHOWN)
  if (!next) return { shown: title, rest: '' }
  const start = title.slice(0, next.index)
  const space = /\s/.test(next.segment) ? next.index : start.search(/\s\S*$/)
  const shown = title.slice(0, space >= TITLE_SHOWN_AT_LEAST ? space : next.index).trimEnd()
  return { shown, rest: title.slice(shown.length) }
}

export const DAY_WORDS: Record<Day, string> = { past: 'Overdue', today: 'Due today', ahead: 'Due' }

/** What would be deleted with a task: "3h 45m of logged time", "4 comments", "1 file". */
const contentsOf = ({ minutes, commentCount, fileCount }: Pick<Task, 'minutes' | 'commentCount' | 'fileCount'>): string[] => [
  ...(minutes > 0 ? [`${durationText(minutes)} of logged time`] : []),
  ...(commentCount > 0 ? [commentsText(commentCount)] : []),
  ...(fileCount > 0 ? [countText(fileCount, 'file')] : []),
]

const restorable = (what: string) => `You can restore ${what} for ${RESTORABLE_DAYS} days, under Deleted tasks in the board menu.`

/** The question before a task is deleted; null if nothing would be deleted with it. */
export const deletionText = (task: Task, timers?: RunningTimer[]): string | null => goingText([task], timers)

export function goingText(tasks: Task[], timers: RunningTimer[] = []): string | null {
  const sum = (count: (task: Task) => number) => tasks.reduce((all, task) => all + count(task), 0)
  const [minutes, commentCount, fileCount] = [
    sum((task) => task.minutes),
    sum((task) => task.commentCount),
    sum((task) => task.fileCount),
  ]
  const ids = new Set(tasks.map(({ id }) => id))
  const isTimed = timers.some(({ taskId }) => ids.has(taskId))
  const all = [...contentsOf({ minutes, commentCount, fileCount }), ...(isTimed ? ['a running timer'] : [])]
  if (all.length === 0) return null
  const isOne = tasks.length === 1
  const hours =
    minutes > 0 || isTimed ? ` ${isOne ? 'Its' : 'Their'} hours no longer count unless you restore ${isOne ? 'it' : 'them'}.` : ''
  return `${listText(all).replace(/^a/, 'A')} will be deleted with ${isOne ? 'this task' : 'these tasks'}. ${restorable(isOne ? 'it' : 'them')}${hours}`
}

export const contentsText = (task: Parameters<typeof contentsOf>[0]): string => contentsOf(task).join(' · ')

/** When folded, it moves up to the end of the header's last line, which leaves room for it: see the board's `HEADER`. */
export const FILTER_BAR =
  'px-4 pb-3 md:px-6 folded:relative folded:-mt-[calc(var(--spacing-icon)+0.5rem)] folded:ml-auto folded:w-fit folded:pb-2 folded:pl-0'

export const STATUS_COLORS: Record<Status, string> = { todo: 'bg-todo', inprogress: 'bg-inprogress', done: 'bg-done' }

export const isAssigned = ({ assignees }: Task, { id }: UserSummary): boolean => assignees.some((assignee) => assignee.id === id)

import { dayAt, lazy, shortDay } from '../../basics'
import { durationText } from '../../time/entries/schema'
import { displayName } from '../../users/schema'
import type { Task } from '../schema'

const momentFormat = lazy(() => new Intl.DateTimeFormat('en-CA', { dateStyle: 'medium', timeStyle: 'short' }))

/** A moment (ISO 8601) in the viewer's time zone. */
export const dateTimeText = (iso: string): string => momentFormat().format(new Date(iso))

export function tagsOf(tasks: readonly { tags: string[] }[]): string[] {
  const tags = new Set<string>()
  for (const task of tasks) for (const tag of task.tags) tags.add(tag)
  return [...tags].sort((a, b) => a.localeCompare(b))
}

export type Day = 'past' | 'today' | 'ahead'

export function dayOf(day: string, now = new Date()): Day {
  const today = dayAt(now)
  return day === today ? 'today' : day < today ? 'past' : 'ahead'
}

export const dueState = (day: string, done: boolean): Day => (done ? 'ahead' : dayOf(day))

const filesText = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`

export const commentsText = (count: number): string => `${count} ${count === 1 ? 'comment' : 'comments'}`

export const TAGS_SHOWN = 3

const DAY_WORDS: Record<Day, string> = { past: 'Overdue', today: 'Due today', ahead: 'Due' }

export function cardName(task: Task, ...more: string[]): string {
  const { title, status, tags, assignees, dueDate, checklist, commentCount, fileCount, minutes } = task
  return [
    title,
    ...tags.slice(0, TAGS_SHOWN),
    tags.length > TAGS_SHOWN && `+${tags.length - TAGS_SHOWN}`,
    ...assignees.map(displayName),
    dueDate && `${DAY_WORDS[dueState(dueDate, status === 'done')]}: ${shortDay(dueDate)}`,
    checklist && `${checklist.done} of ${checklist.all} done`,
    commentCount > 0 && commentsText(commentCount),
    fileCount > 0 && filesText(fileCount),
    minutes > 0 && `Time logged: ${durationText(minutes)}`,
    ...more,
  ]
    .filter(Boolean)
    .join(', ')
}

export const timeGoesText = ({ minutes }: Task): string =>
  `${durationText(minutes)} of logged time goes with this task, and will be missing in the time logs.`

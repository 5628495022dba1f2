import { useCallback, useMemo, useState } from 'react'
import { dayAt } from '../../basics'
import type { UserSummary } from '../../users/schema'
import { DESCRIPTION_PREVIEW, type Task } from '../schema'
import { dayOf } from './display'

export const DUES = { overdue: 'Overdue', today: 'Due today', week: 'Due in 7 days', none: 'No due date' } as const
type Due = keyof typeof DUES

/** Empty texts filter nothing. `assignee` is a user's id, or `none`. */
export type Filter = { text: string; assignee: string; tag: string; due: Due | '' }
const NOTHING: Filter = { text: '', assignee: '', tag: '', due: '' }

export function useFilter(tasks: Task[], members: UserSummary[]) {
  const [chosen, setFilter] = useState(NOTHING)
  const filter = useMemo(() => stillThere(chosen, tasks, members), [chosen, tasks, members])
  const shown = useMemo(() => filtered(tasks, filter), [tasks, filter])
  const active = Object.values(filter).some(Boolean)
  return {
    filter,
    shown,
    active,
    shows: (task: Task) => filtered([task], filter).length > 0,
    change: useCallback((part: Partial<Filter>) => setFilter((before) => ({ ...before, ...part })), []),
    clear: useCallback(() => setFilter(NOTHING), []),
  }
}

/** Drops a choice whose member or tag is gone. */
function stillThere(filter: Filter, tasks: Task[], members: UserSummary[]): Filter {
  const { assignee, tag } = filter
  const isAssignee = ['', 'none'].includes(assignee) || members.some(({ id }) => String(id) === assignee)
  const isTag = tag === '' || tasks.some(({ tags }) => tags.includes(tag))
  return isAssignee && isTag ? filter : { ...filter, assignee: isAssignee ? assignee : '', tag: isTag ? tag : '' }
}

const WEEK = 7 * 24 * 60 * 60 * 1000

export function filtered(tasks: Task[], { text, assignee, tag, due }: Filter, now = new Date()): Task[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const tests: ((task: Task) => boolean)[] = []
  if (words.length > 0) tests.push((task) => hasAll(task, words))
  if (assignee === 'none') tests.push(({ assignees }) => assignees.length === 0)
  else if (assignee) tests.push(({ assignees }) => assignees.some(({ id }) => String(id) === assignee))
  if (tag) tests.push(({ tags }) => tags.includes(tag))
  if (due) tests.push((task) => isDue(task, due, now))
  return tests.length === 0 ? tasks : tasks.filter((task) => tests.every((test) => test(task)))
}

/** Searches only the beginning of descriptions, which every page has, so that results do not vary. */
function hasAll({ title, description, tags }: Task, words: string[]): boolean {
  const text = [title, description?.slice(0, DESCRIPTION_PREVIEW), ...tags].join('\n').toLocaleLowerCase()
  return words.every((word) => text.includes(word))
}

function isDue({ dueDate, status }: Task, due: Due, now: Date): boolean {
  if (due === 'none' || dueDate === null) return due === 'none' && dueDate === null
  if (due === 'overdue') return status !== 'done' && dayOf(dueDate, now) === 'past'
  if (due === 'today') return dayOf(dueDate, now) === 'today'
  return dueDate >= dayAt(now) && dueDate <= dayAt(new Date(now.getTime() + WEEK))
}

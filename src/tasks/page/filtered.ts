import { dayAt } from '../../basics'
import { DESCRIPTION_PREVIEW } from '../basics'
import type { Task } from '../schema'
import { dayOf } from './display'
import type { Due, Filter } from './filterSearch'

const WEEK = 7 * 24 * 60 * 60 * 1000

export function filtered(tasks: Task[], { text, assignee, tag, due }: Filter, viewerId: number, now = new Date()): Task[] {
  const wanted = assignee === 'me' ? String(viewerId) : assignee
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const tests: ((task: Task) => boolean)[] = []
  if (words.length > 0) tests.push((task) => hasAll(task, words))
  if (assignee === 'none') tests.push(({ assignees }) => assignees.length === 0)
  else if (assignee) tests.push(({ assignees }) => assignees.some(({ id }) => String(id) === wanted))
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

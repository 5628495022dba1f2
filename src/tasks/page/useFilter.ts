import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { dayAt } from '../../days'
import { useViewer } from '../../users/page/viewer'
import type { UserSummary } from '../../users/schema'
import { DESCRIPTION_PREVIEW } from '../limits'
import type { Task } from '../schema'
import { dayState } from './display'
import { type Due, type Filter, filterSearchOf, formatFilter, NO_FILTER, parseFilter } from './taskUrl'

/** The filter lives in the address. Typed text arrives there a moment later, so it is kept here too. */
export function useFilter(boardId: number, tasks: Task[], members: UserSummary[]) {
  const { id: viewerId } = useViewer()
  const navigate = useNavigate()
  const search = useSearch({ strict: false, select: filterSearchOf, structuralSharing: true })
  const [typed, setTyped] = useState(search.q ?? '')
  const sent = useRef(search.q ?? '')
  useEffect(() => {
    if ((search.q ?? '') === sent.current) return
    sent.current = search.q ?? ''
    setTyped(sent.current)
  }, [search.q])
  const chosen = useMemo(() => ({ ...parseFilter(search), text: typed }), [search, typed])
  const filter = useMemo(() => stillThere(chosen, tasks, members), [chosen, tasks, members])
  const shown = useMemo(() => filterTasks(tasks, filter, viewerId), [tasks, filter, viewerId])
  const active = Object.values(filter).some(Boolean)
  const latest = useRef(chosen)
  latest.current = chosen
  const change = useCallback(
    (part: Partial<Filter>) => {
      latest.current = { ...latest.current, ...part }
      sent.current = latest.current.text
      setTyped(sent.current)
      const replace = part.text !== undefined && Object.keys(part).length === 1
      void navigate({
        ...{ to: '/board/$boardId', params: { boardId }, resetScroll: false, replace, hash: true },
        search: formatFilter(latest.current),
      })
    },
    [navigate, boardId],
  )
  return {
    filter,
    shown,
    active,
    shows: (task: Task) => filterTasks([task], filter, viewerId).length > 0,
    change,
    clear: useCallback(() => change(NO_FILTER), [change]),
  }
}

/** Drops a choice whose member or tag is gone. */
function stillThere(filter: Filter, tasks: Task[], members: UserSummary[]): Filter {
  const { assignee, tag } = filter
  const isAssignee = ['', 'none', 'me'].includes(assignee) || members.some(({ id }) => String(id) === assignee)
  const isTag = tag === '' || tasks.some(({ tags }) => tags.includes(tag))
  return isAssignee && isTag ? filter : { ...filter, assignee: isAssignee ? assignee : '', tag: isTag ? tag : '' }
}

const WEEK = 7 * 24 * 60 * 60 * 1000

export function filterTasks(tasks: Task[], { text, assignee, tag, due }: Filter, viewerId: number, now = new Date()): Task[] {
  const wanted = assignee === 'me' ? String(viewerId) : assignee
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const tests: ((task: Task) => boolean)[] = []
  if (words.length > 0) tests.push((task) => hasAllWords(task, words))
  if (assignee === 'none') tests.push(({ assignees }) => assignees.length === 0)
  else if (assignee) tests.push(({ assignees }) => assignees.some(({ id }) => String(id) === wanted))
  if (tag) tests.push(({ tags }) => tags.includes(tag))
  if (due) tests.push((task) => isDue(task, due, now))
  return tests.length === 0 ? tasks : tasks.filter((task) => tests.every((test) => test(task)))
}

/** Only the beginning of descriptions, which every page has, so that results do not vary. */
function hasAllWords({ title, description, tags }: Task, words: string[]): boolean {
  const text = [title, description?.slice(0, DESCRIPTION_PREVIEW), ...tags].join('\n').toLocaleLowerCase()
  return words.every((word) => text.includes(word))
}

function isDue({ dueDate, status }: Task, due: Due, now: Date): boolean {
  if (due === 'none' || dueDate === null) return due === 'none' && dueDate === null
  if (due === 'overdue') return status !== 'done' && dayState(dueDate, now) === 'past'
  if (due === 'today') return dayState(dueDate, now) === 'today'
  return dueDate >= dayAt(now) && dueDate <= dayAt(new Date(now.getTime() + WEEK))
}

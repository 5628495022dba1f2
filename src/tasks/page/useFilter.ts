import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { addDays } from '../../days'
import { foldCase } from '../../format'
import { useViewer } from '../../users/page/viewer'
import type { UserSummary } from '../../users/schema'
import { useDay } from '../../web/clock'
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
  const today = useDay()
  const shown = useMemo(() => filterTasks(tasks, filter, viewerId, today), [tasks, filter, viewerId, today])
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
        to: '/board/$boardId',
        params: { boardId },
        resetScroll: false,
        replace,
        hash: true,
        search: formatFilter(latest.current),
      })
    },
    [navigate, boardId],
  )
  return {
    filter,
    shown,
    active,
    shows: (task: Task) => filterTasks([task], filter, viewerId, today).length > 0,
    change,
    clear: useCallback(() => change(NO_FILTER), [change]),
  }
}

/** Drops a choice whose member or tag no longer exists. */
function stillThere(filter: Filter, tasks: Task[], members: UserSummary[]): Filter {
  const { assignee, tag } = filter
  const isAssignee = ['', 'none', 'me'].includes(assignee) || members.some(({ id }) => String(id) === assignee)
  const isTag = tag === '' || tasks.some(({ tags }) => tags.includes(tag))
  return isAssignee && isTag ? filter : { ...filter, assignee: isAssignee ? assignee : '', tag: isTag ? tag : '' }
}

export function filterTasks(tasks: Task[], { text, assignee, tag, due }: Filter, viewerId: number, today: string): Task[] {
  const wanted = assignee === 'me' ? String(viewerId) : assignee
  const words = foldCase(text).split(/\s+/).filter(Boolean)
  const tests: ((task: Task) => boolean)[] = []
  if (words.length > 0) tests.push((task) => hasAllWords(task, words))
  if (assignee === 'none') tests.push(({ assignees }) => assignees.length === 0)
  else if (assignee) tests.push(({ assignees }) => assignees.some(({ id }) => String(id) === wanted))
  if (tag) tests.push(({ tags }) => tags.includes(tag))
  if (due) tests.push((task) => isDue(task, due, today))
  return tests.length === 0 ? tasks : tasks.filter((task) => tests.every((test) => test(task)))
}

/** Only the beginning of descriptions, which every page has, so that results do not vary. */
function hasAllWords({ title, description, tags }: Task, words: string[]): boolean {
  const text = foldCase([title, description?.slice(0, DESCRIPTION_PREVIEW), ...tags].join('\n'))
  return words.every((word) => text.includes(word))
}

function isDue({ dueDate, status }: Task, due: Due, today: string): boolean {
  if (due === 'none' || dueDate === null) return due === 'none' && dueDate === null
  if (due === 'overdue') return status !== 'done' && dayState(dueDate, today) === 'past'
  if (due === 'today') return dayState(dueDate, today) === 'today'
  return dueDate >= today && dueDate <= addDays(today, 7)
}

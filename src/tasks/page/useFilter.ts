import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { UserSummary } from '../../users/schema'
import type { Task } from '../schema'
import { filtered } from './filtered'
import { type Filter, filterIn, knownIn, NOTHING, toSearch } from './filterSearch'

/** The filter stands in the address. What one types stands there a moment later, so it is kept here as well. */
export function useFilter(boardId: number, tasks: Task[], members: UserSummary[]) {
  const { id: viewerId } = useViewer()
  const navigate = useNavigate()
  const search = useSearch({ strict: false, select: filterIn, structuralSharing: true })
  const [typed, setTyped] = useState(search.q ?? '')
  const sent = useRef(search.q ?? '')
  useEffect(() => {
    if ((search.q ?? '') === sent.current) return
    sent.current = search.q ?? ''
    setTyped(sent.current)
  }, [search.q])
  const chosen = useMemo(() => ({ ...knownIn(search), text: typed }), [search, typed])
  const filter = useMemo(() => stillThere(chosen, tasks, members), [chosen, tasks, members])
  const shown = useMemo(() => filtered(tasks, filter, viewerId), [tasks, filter, viewerId])
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
        search: toSearch(latest.current),
      })
    },
    [navigate, boardId],
  )
  return {
    filter,
    shown,
    active,
    shows: (task: Task) => filtered([task], filter, viewerId).length > 0,
    change,
    clear: useCallback(() => change(NOTHING), [change]),
  }
}

/** Drops a choice whose member or tag is gone. */
function stillThere(filter: Filter, tasks: Task[], members: UserSummary[]): Filter {
  const { assignee, tag } = filter
  const isAssignee = ['', 'none', 'me'].includes(assignee) || members.some(({ id }) => String(id) === assignee)
  const isTag = tag === '' || tasks.some(({ tags }) => tags.includes(tag))
  return isAssignee && isTag ? filter : { ...filter, assignee: isAssignee ? assignee : '', tag: isTag ? tag : '' }
}

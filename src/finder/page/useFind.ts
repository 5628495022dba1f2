import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import { boardsQuery } from '../../boards/page/cache'
import type { BoardListItem } from '../../boards/schema'
import { useKnownTimers } from '../../time/page/timersCache'
import type { UserSummary } from '../../users/schema'
import { useIsReachable } from '../../web/live/connection'
import { recentOf } from '../../web/recent'
import { refusalOf } from '../../web/refusal'
import { trpc } from '../../web/trpc'
import type { Found, FoundBoard, FoundComment, FoundTask } from '../schema'
import { ACTIONS, type Action, actionsIn } from './actions'
import { both, findHeld, NOTHING, stillFitting, stillThere } from './known'

export type Entry = { key: string } & (
  | { kind: 'board'; board: FoundBoard }
  | { kind: 'task'; task: FoundTask }
  | { kind: 'comment'; comment: FoundComment }
  | { kind: 'person'; person: UserSummary }
  | { kind: 'action'; action: Action }
)
export type Group = { label: string; entries: Entry[] }

const RECENT_SHOWN = 8
const TARGETS = 3
const NONE: BoardListItem[] = []

/** What to show for what is typed: at once what the page knows, then what the server finds. */
export function useFind(typed: string) {
  const { kinds, text } = actionsIn(typed.trim())
  const boards = useQuery(boardsQuery()).data ?? NONE
  const { answer, ...state } = useAnswer(text)
  const held = useMemo(() => (text ? findHeld(boards, text) : NOTHING), [boards, text])
  const found = useMemo(() => both(held, answer, text), [held, answer, text])
  const here = useBoardHere(boards)
  const recent = useRecent(boards)
  const actionsOn = useActions(text === '' ? { ...NOTHING, boards: here } : found, boards)
  const actions = { label: 'Actions', entries: kinds.length > 0 ? actionsOn(kinds, TARGETS) : actionsOn(ACTIONS, 1) }
  const groups =
    text === '' ? [recent, actions] : kinds.length > 0 ? [actions, ...groupsOf(found)] : [...groupsOf(found), actions]
  return { ...state, text, groups: groups.filter(({ entries }) => entries.length > 0) }
}

const FRESH_MS = 5_000

function useAnswer(text: string) {
  const settled = useSettled(text)
  const isReachable = useIsReachable()
  const { data, isPlaceholderData, isFetching, isError } = useQuery({
    ...trpc.finder.find.queryOptions({ text: settled }),
    enabled: settled !== '' && isReachable,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    retry: (_, error) => waitMs(error) !== undefined,
    retryDelay: (_, error) => waitMs(error) ?? 0,
    gcTime: FRESH_MS,
  })
  const isCurrent = settled === text && !isPlaceholderData
  const answer = useMemo(
    () => (data === undefined || text === '' ? NOTHING : isCurrent ? data : stillFitting(data, text)),
    [data, isCurrent, text],
  )
  return { answer, isSearching: text !== '' && (settled !== text || isFetching), isAlone: !isReachable || isError }
}

/** Whoever searched too often waits, and is answered then. */
function waitMs(error: unknown): number | undefined {
  const refusal = refusalOf(error)
  return refusal?.code === 'TOO_MANY_REQUESTS' ? (refusal.retryAfter ?? 1) * 1_000 : undefined
}

const SETTLES_MS = 250

/** What was typed once nothing is added for a moment; its clearing counts at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const settling = setTimeout(() => setSettled(text), SETTLES_MS)
    return () => clearTimeout(settling)
  }, [text])
  return text === '' ? '' : settled
}

function useBoardHere(boards: BoardListItem[]): FoundBoard[] {
  const { pathname } = useLocation()
  return boards.filter(({ id }) => pathname === `/board/${id}`)
}

function useRecent(boards: BoardListItem[]): Group {
  const { id } = useViewer()
  const [noted] = useState(() => recentOf(id))
  const entries = useMemo(
    () =>
      stillThere(noted, boards)
        .slice(0, RECENT_SHOWN)
        .map((item) => ('board' in item ? taskEntry(item) : boardEntry(item))),
    [noted, boards],
  )
  return { label: 'Recent', entries }
}

const boardEntry = (board: FoundBoard): Entry => ({ key: `board-${board.id}`, kind: 'board', board })
const taskEntry = (task: FoundTask): Entry => ({ key: `task-${task.id}`, kind: 'task', task })

const groupsOf = ({ boards, tasks, comments, people }: Found): Group[] => [
  { label: 'Boards', entries: boards.map(boardEntry) },
  { label: 'Tasks', entries: tasks.map(taskEntry) },
  { label: 'Comments', entries: comments.map((comment) => ({ key: `comment-${comment.id}`, kind: 'comment', comment })) },
  { label: 'People', entries: people.map((person) => ({ key: `person-${person.id}`, kind: 'person', person })) },
]

/** What may be done with what was found. */
function useActions({ tasks, boards: found }: Found, boards: BoardListItem[]) {
  const timers = useKnownTimers()
  const isOpen = (boardId: number) => boards.some(({ id, locked }) => id === boardId && !locked)
  const entry = (action: Action): Entry => ({
    key: `${action.kind}-${action.kind === 'import' ? '' : action.on.id}`,
    kind: 'action',
    action,
  })
  const targets = {
    timer: tasks
      .filter(({ id, board }) => isOpen(board.id) && timers?.every(({ taskId }) => taskId !== id))
      .map((on) => entry({ kind: 'timer', on })),
    task: found.filter(({ id }) => isOpen(id)).map((on) => entry({ kind: 'task', on })),
    logs: found.map((on) => entry({ kind: 'logs', on })),
    import: [entry({ kind: 'import' })],
  }
  return (kinds: readonly Action['kind'][], each: number) => kinds.flatMap((kind) => targets[kind].slice(0, each))
}

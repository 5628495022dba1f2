import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { boardsQuery } from '../../boards/page/cache'
import type { BoardListItem } from '../../boards/schema'
import type { Status } from '../../tasks/limits'
import type { BoardTask, Snapshot } from '../../tasks/schema'
import { useViewer } from '../../users/page/viewer'
import { displayName, isName, type UserSummary } from '../../users/schema'
import type { Live } from '../../web/live/liveQuery'
import { queryClient } from '../../web/queryClient'
import { type Recent, recentOf } from '../../web/recentlyOpened'
import { byRank, matchingTag, rank, SHOWN } from '../rank'
import type { Found, FoundBoard, FoundComment, FoundTask } from '../schema'
import { type Action, actionsIn, isExactly, useActions } from './actions'
import { useSearchResults } from './cache'

/** Without a status if the task was opened before and its board is not in memory. */
type ListedTask = Omit<FoundTask, 'status'> & { status: Status | null }

export type Entry = { key: string } & (
  | { kind: 'board'; board: FoundBoard }
  | { kind: 'task'; task: ListedTask }
  | { kind: 'comment'; comment: FoundComment }
  | { kind: 'person'; person: UserSummary }
  | { kind: 'action'; action: Action }
)
type Group = { label: string; entries: Entry[] }

const RECENT_SHOWN = 8
const NONE: BoardListItem[] = []

/** First what the page knows and can do, then the server's results. */
export function useFind(given: string) {
  const typed = given.trim()
  const named = actionsIn(typed)
  const text = named.rest || typed
  const boards = useQuery(boardsQuery()).data ?? NONE
  const { answer, ...state } = useAnswer(text)
  const here = useBoardHere(boards)
  const found = useMemo(
    () => mergeFound(text ? findInCache(boards, text) : NOTHING, answer, text, here[0]),
    [boards, answer, text, here],
  )
  const recent = useRecent(boards)
  const { asked, others } = useActions({
    typed,
    named,
    boards,
    recent: recent.flatMap((item) => ('board' in item ? [] : [item])),
    tasks: found.tasks,
    found: found.boards,
    here,
  })
  const [inBoards, ...inRest] = groupsOf(found)
  const actions = actionGroup('Actions', asked)
  const isExact = found.boards.some(({ name }) => isExactly(name, typed))
  const groups =
    typed === ''
      ? [{ label: 'Recent', entries: recent.slice(0, RECENT_SHOWN).map(itemEntry) }, actionGroup('Actions', others)]
      : [
          ...(isExact ? [inBoards, actions] : [actions, inBoards]),
          ...inRest,
          actionGroup(asked.length > 0 ? 'More actions' : 'Actions', others),
        ]
  return { ...state, text, groups: groups.filter(({ entries }) => entries.length > 0) }
}

function useAnswer(text: string) {
  const { data, isCurrent, ...state } = useSearchResults(text)
  const answer = useMemo(
    () => (data === undefined || text === '' ? NOTHING : isCurrent ? data : filterFound(data, text)),
    [data, isCurrent, text],
  )
  return { answer, ...state }
}

function useBoardHere(boards: BoardListItem[]): FoundBoard[] {
  const { pathname } = useLocation()
  return useMemo(() => boards.filter(({ id }) => pathname === `/board/${id}`), [boards, pathname])
}

function useRecent(boards: BoardListItem[]): (FoundBoard | ListedTask)[] {
  const { id } = useViewer()
  const [noted] = useState(() => recentOf(id))
  return useMemo(() => currentRecent(noted, boards), [noted, boards])
}

const boardEntry = (board: FoundBoard): Entry => ({ key: `board-${board.id}`, kind: 'board', board })
const taskEntry = (task: ListedTask): Entry => ({ key: `task-${task.id}`, kind: 'task', task })
const itemEntry = (item: FoundBoard | ListedTask) => ('board' in item ? taskEntry(item) : boardEntry(item))

const groupsOf = ({ boards, tasks, comments, people }: Found): [Group, ...Group[]] => [
  { label: 'Boards', entries: boards.map(boardEntry) },
  { label: 'Tasks', entries: tasks.map(taskEntry) },
  { label: 'Comments', entries: comments.map((comment) => ({ key: `comment-${comment.id}`, kind: 'comment', comment })) },
  { label: 'People', entries: people.map((person) => ({ key: `person-${person.id}`, kind: 'person', person })) },
]

const actionKey = (action: Action) => (action.kind === 'command' ? `command-${action.command}` : `${action.kind}-${action.on.id}`)

const actionGroup = (label: string, actions: Action[]): Group => ({
  label,
  entries: actions.map((action) => ({ key: actionKey(action), kind: 'action', action })),
})

const NOTHING: Found = { boards: [], tasks: [], comments: [], people: [] }

const searchableName = (person: UserSummary) => `${displayName(person)} ${person.username}`

function cachedBoards(boards: BoardListItem[]): Snapshot[] {
  const own = new Set(boards.map(({ id }) => id))
  return queryClient
    .getQueriesData<Live<Snapshot>>({ queryKey: ['live'], predicate: ({ queryKey }) => queryKey[2] === 'board' })
    .flatMap(([, live]) => (live && own.has(live.data.board.id) ? [live.data] : []))
}

const toFound = ({ id, title, status }: BoardTask, board: FoundBoard, tag: string | null = null): FoundTask => ({
  id,
  title,
  status,
  board,
  excerpt: null,
  tag,
})

/** The page's own answer, before the server's and while it cannot be reached. */
function findInCache(boards: BoardListItem[], text: string): Found {
  const held = cachedBoards(boards)
  const tasks = held.flatMap(({ board, tasks }) =>
    tasks
      .filter(({ title, tags }) => rank([title, ...tags].join(' '), text) > 0)
      .map((task) => toFound(task, { id: board.id, name: board.name }, matchingTag(task, text))),
  )
  const people = new Map(
    held.flatMap(({ board }) => board.members).flatMap((person) => (isName(person) ? [] : [[person.id, person]])),
  )
  return {
    ...NOTHING,
    boards: boards.filter(({ name }) => rank(name, text) > 0).map(({ id, name }) => ({ id, name })),
    tasks,
    people: [...people.values()].filter((person) => rank(searchableName(person), text) > 0),
  }
}

/** The part of an earlier answer that still matches this text. */
const filterFound = ({ boards, tasks, comments, people }: Found, text: string): Found => ({
  boards: boards.filter(({ name }) => rank(name, text) > 0),
  tasks: tasks.filter(({ title, tag, excerpt }) => rank(`${title} ${tag ?? ''} ${excerpt ?? ''}`, text) > 0),
  comments: comments.filter(({ excerpt }) => rank(excerpt, text) > 0),
  people: people.filter((person) => rank(searchableName(person), text) > 0),
})

/** The server's entry wins: it has the excerpt. Of equal tasks, those of the open board come first, then open ones. */
const mergeFound = (held: Found, answer: Found, text: string, here: FoundBoard | undefined): Found => ({
  boards: byRank(union(answer.boards, held.boards), text, ({ name }) => name).slice(0, SHOWN.boards),
  tasks: byRank(union(answer.tasks, held.tasks).toSorted(nearestFirst(here)), text, ({ title }) => title).slice(0, SHOWN.tasks),
  comments: answer.comments,
  people: byRank(union(answer.people, held.people), text, searchableName).slice(0, SHOWN.people),
})

const nearestFirst = (here: FoundBoard | undefined) => (a: FoundTask, b: FoundTask) =>
  Number(b.board.id === here?.id) - Number(a.board.id === here?.id) || Number(a.status === 'done') - Number(b.status === 'done')

const union = <Item extends { id: number }>(first: Item[], second: Item[]): Item[] => {
  const known = new Set(first.map(({ id }) => id))
  return [...first, ...second.filter(({ id }) => !known.has(id))]
}

/** Recent boards and tasks that still exist, as far as the page knows. */
function currentRecent(recent: Recent[], boards: BoardListItem[]): (FoundBoard | ListedTask)[] {
  const held = new Map(cachedBoards(boards).map(({ board, tasks }) => [board.id, tasks]))
  return recent.flatMap(({ boardId, taskId, title }): (FoundBoard | ListedTask)[] => {
    const own = boards.find(({ id }) => id === boardId)
    if (!own) return []
    const board = { id: own.id, name: own.name }
    if (taskId === undefined || title === undefined) return [board]
    const tasks = held.get(boardId)
    const task = tasks?.find(({ id }) => id === taskId)
    if (task) return [toFound(task, board)]
    return tasks ? [] : [{ id: taskId, title, status: null, board, excerpt: null, tag: null }]
  })
}

import type { BoardListItem } from '../../boards/schema'
import type { BoardTask, Snapshot } from '../../tasks/schema'
import { displayName, isName, type UserSummary } from '../../users/schema'
import type { Live } from '../../web/live/liveQuery'
import { queryClient } from '../../web/queryClient'
import type { Recent } from '../../web/recent'
import { byRank, rank, SHOWN } from '../basics'
import type { Found, FoundBoard, FoundTask } from '../schema'

export const NOTHING: Found = { boards: [], tasks: [], comments: [], people: [] }

const nameOf = (person: UserSummary) => `${displayName(person)} ${person.username}`

/** The boards that the page holds, of those that one may see. */
function heldBoards(boards: BoardListItem[]): Snapshot[] {
  const own = new Set(boards.map(({ id }) => id))
  return queryClient
    .getQueriesData<Live<Snapshot>>({ queryKey: ['live'], predicate: ({ queryKey }) => queryKey[2] === 'board' })
    .flatMap(([, live]) => (live && own.has(live.data.board.id) ? [live.data] : []))
}

const toFound = ({ id, title, status }: BoardTask, board: FoundBoard): FoundTask => ({ id, title, status, board, excerpt: null })

/** What the page can answer by itself, before the server does and where that cannot be reached. */
export function findHeld(boards: BoardListItem[], text: string): Found {
  const held = heldBoards(boards)
  const tasks = held.flatMap(({ board, tasks }) =>
    tasks.filter(({ title }) => rank(title, text) > 0).map((task) => toFound(task, { id: board.id, name: board.name })),
  )
  const people = new Map(
    held.flatMap(({ board }) => board.members).flatMap((person) => (isName(person) ? [] : [[person.id, person]])),
  )
  return {
    ...NOTHING,
    boards: boards.filter(({ name }) => rank(name, text) > 0).map(({ id, name }) => ({ id, name })),
    tasks: byRank(tasks, text, ({ title }) => title).slice(0, SHOWN.tasks),
    people: [...people.values()].filter((person) => rank(nameOf(person), text) > 0),
  }
}

/** What an answer to something else, typed a moment ago, says of this text. */
export const stillFitting = ({ boards, tasks, comments, people }: Found, text: string): Found => ({
  boards: boards.filter(({ name }) => rank(name, text) > 0),
  tasks: tasks.filter(({ title, excerpt }) => rank(`${title} ${excerpt ?? ''}`, text) > 0),
  comments: comments.filter(({ excerpt }) => rank(excerpt, text) > 0),
  people: people.filter((person) => rank(nameOf(person), text) > 0),
})

/** Of what both have, the server's says where it was found. */
export const both = (held: Found, answer: Found, text: string): Found => ({
  boards: byRank(union(answer.boards, held.boards), text, ({ name }) => name).slice(0, SHOWN.boards),
  tasks: byRank(union(answer.tasks, held.tasks), text, ({ title }) => title).slice(0, SHOWN.tasks),
  comments: answer.comments,
  people: byRank(union(answer.people, held.people), text, nameOf).slice(0, SHOWN.people),
})

const union = <Item extends { id: number }>(first: Item[], second: Item[]): Item[] => {
  const known = new Set(first.map(({ id }) => id))
  return [...first, ...second.filter(({ id }) => !known.has(id))]
}

/** Recent boards and tasks that are still there, as far as the page knows. */
export function stillThere(recent: Recent[], boards: BoardListItem[]): (FoundBoard | FoundTask)[] {
  const held = new Map(heldBoards(boards).map(({ board, tasks }) => [board.id, tasks]))
  return recent.flatMap(({ boardId, taskId, title }): (FoundBoard | FoundTask)[] => {
    const own = boards.find(({ id }) => id === boardId)
    if (!own) return []
    const board = { id: own.id, name: own.name }
    if (taskId === undefined || title === undefined) return [board]
    const tasks = held.get(boardId)
    const task = tasks?.find(({ id }) => id === taskId)
    if (task) return [toFound(task, board)]
    return tasks ? [] : [{ id: taskId, title, status: 'todo', board, excerpt: null }]
  })
}

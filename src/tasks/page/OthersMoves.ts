import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { UserSummary } from '../../users/schema'
import { useLiveMessages } from '../../web/live/socket'
import type { Task } from '../schema'
import type { Movers } from './CardEdge'
import { fadeIn, glide, look, type Sight } from './glide'

/** In milliseconds. */
const NAMED_FOR = 2_000
const EXPECTED_FOR = 2_000

/** A card's new place, which the board shows soon; without what was seen for a card that is new. */
type Expected = { task: Task; by: number; at: number; seen?: Sight | undefined }

type Props = {
  board: RefObject<HTMLElement | null>
  tasks: Task[]
  members: UserSummary[]
  /** Called with what changes the names of who moved which. */
  onName(change: (known: Movers) => Movers): void
}

const isSamePlace = (a: Task, b: Task) => a.status === b.status && a.position === b.position
const isThere = (shown: Task, task: Task) => shown.id === task.id && isSamePlace(shown, task)

/** Has the cards that others move glide to their places, and names who moved them, for two seconds. */
export function OthersMoves({ board, tasks, members, onName }: Props) {
  const viewer = useViewer()
  const expected = useRef(new Map<number, Expected>())
  const expect = (task: Task, by: number, seen?: Sight) =>
    expected.current.set(task.id, { task, by, seen, at: performance.now() })

  useLiveMessages({
    task_updated({ task, by }) {
      const shown = by === viewer.id ? undefined : tasks.find(({ id }) => id === task.id)
      if (shown && board.current && !isSamePlace(shown, task)) expect(task, by, look(board.current, task.id))
    },
    new_task({ task, by }) {
      if (by !== viewer.id && tasks.every(({ id }) => id !== task.id)) expect(task, by)
    },
  })

  useLayoutEffect(() => {
    const arrived = [...expected.current.values()].filter(({ task }) => tasks.some((shown) => isThere(shown, task)))
    const late = performance.now() - EXPECTED_FOR
    for (const { task, at } of expected.current.values()) if (at < late) expected.current.delete(task.id)
    for (const { task } of arrived) expected.current.delete(task.id)
    if (!board.current || arrived.length === 0) return
    glide(board.current, new Map(arrived.flatMap(({ task, seen }) => (seen ? [[task.id, seen]] : []))))
    for (const { task, seen } of arrived) if (!seen) fadeIn(board.current, task.id)
    name(arrived)
  }, [tasks])

  function name(arrived: Expected[]) {
    // New objects each time: the end of an earlier name leaves a later one.
    const named: Movers = new Map(
      arrived.flatMap(({ task, by }) => members.filter(({ id }) => id === by).map((mover) => [task.id, { ...mover }])),
    )
    onName((known) => new Map([...known, ...named]))
    setTimeout(() => onName((known) => new Map([...known].filter(([id, mover]) => named.get(id) !== mover))), NAMED_FOR)
  }

  return null
}

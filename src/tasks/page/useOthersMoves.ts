import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { UserSummary } from '../../users/schema'
import { useLiveMessages } from '../../web/live/socket'
import type { Task } from '../schema'
import { fadeIn, glide, look, type Sight } from './glide'

/** In milliseconds. */
const NAMED_FOR = 2_000
const EXPECTED_FOR = 2_000

/** A card's new place, which the board shows soon; without what was seen for a card that is new. */
type Expected = { task: Task; by: number; at: number; seen?: Sight | undefined }

type Movers = ReadonlyMap<number, UserSummary>

const isSamePlace = (a: Task, b: Task) => a.status === b.status && a.position === b.position

/** Has the cards that others move glide to their places; answers who moved which, for two seconds. */
export function useOthersMoves(board: RefObject<HTMLElement | null>, tasks: Task[], members: UserSummary[]): Movers {
  const viewer = useViewer()
  const expected = useRef(new Map<number, Expected>())
  const [movers, setMovers] = useState<Movers>(new Map())
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
    for (const { task, by, seen, at } of [...expected.current.values()]) {
      const shown = tasks.find(({ id }) => id === task.id)
      const isThere = shown !== undefined && isSamePlace(shown, task)
      if (isThere || performance.now() - at > EXPECTED_FOR) expected.current.delete(task.id)
      if (!isThere || !board.current) continue
      if (seen) glide(board.current, task.id, seen)
      else fadeIn(board.current, task.id)
      name(task.id, by)
    }
  }, [tasks])

  function name(taskId: number, by: number) {
    const mover = members.find(({ id }) => id === by)
    if (!mover) return
    // A new object each time: the end of an earlier name leaves a later one.
    const named = { ...mover }
    setMovers((known) => new Map(known).set(taskId, named))
    setTimeout(() => setMovers((known) => (known.get(taskId) === named ? without(known, taskId) : known)), NAMED_FOR)
  }

  return movers
}

const without = (movers: Movers, taskId: number): Movers => new Map([...movers].filter(([id]) => id !== taskId))

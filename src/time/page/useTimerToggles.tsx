import { createContext, use, useMemo } from 'react'
import { startTimer, switchTimer } from './cache'
import type { EntryTask } from './predictions'
import { inOrder } from './reducers'
import { useStop } from './TimerButtons'
import { useKnownTimers } from './timersCache'

type TimerToggles = { runningOn: number | undefined; locked: boolean; toggle(task: EntryTask): void }
export const TimerTogglesContext = createContext<TimerToggles>({ runningOn: undefined, locked: true, toggle: () => {} })

/** For a card's button, menu or key: whether the viewer's timer runs on the task, and how to start or stop it. */
export function useTimerOf(task: EntryTask) {
  const { runningOn, locked, toggle } = use(TimerTogglesContext)
  const isRunning = runningOn === task.id
  return { isRunning, isOffered: isRunning || !locked, toggle: () => toggle(task) }
}

/** For a board: the context of its cards, and the form for stopping a timer. */
export function useTimerToggles(mayNot: boolean, focus: (taskId: number) => void) {
  const known = useKnownTimers()
  const timers = useMemo(() => inOrder(known ?? []), [known])
  // A timer that is not loaded yet would be started a second time.
  const locked = mayNot || !known
  const { stop, form } = useStop(({ taskId }) => focus(taskId))
  const running = timers.find(({ status }) => status === 'ACTIVE')
  const toggle = (task: EntryTask) => {
    const own = timers.find(({ taskId }) => taskId === task.id)
    if (own?.status === 'ACTIVE') stop(own)
    else if (locked) return
    else if (own) void switchTimer(own, 'ACTIVE')
    else void startTimer(task)
  }
  const given = useMemo(() => ({ runningOn: running?.taskId, locked, toggle }), [running?.taskId, locked, timers])
  return { given, toggle, form }
}

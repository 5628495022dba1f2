import { lazy, Suspense } from 'react'
import { useTimers } from './useTimers'

const HeaderTimer = lazy(() =>
  import('./HeaderTimer').then(
    (loaded) => ({ default: loaded.HeaderTimer }),
    () => ({ default: () => null }),
  ),
)

/** The viewer's timers where there are any; their code comes with the first. */
export function LateTimer() {
  const timers = useTimers()
  return (
    timers.length > 0 && (
      <Suspense>
        <HeaderTimer timers={timers} />
      </Suspense>
    )
  )
}

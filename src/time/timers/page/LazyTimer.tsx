import { Suspense, useRef } from 'react'
import { lazyComponent } from '../../../web/lazy'
import { useTimers } from './useTimers'

const HeaderTimer = lazyComponent(() => import('./HeaderTimer').then((module) => module.HeaderTimer))

/** The viewer's timers where there are any; their code comes with the first. */
export function LazyTimer() {
  const timers = useTimers()
  const place = useRef<HTMLSpanElement>(null)
  return (
    <>
      {/* Where the focus stays when the timer that had it goes. */}
      <span ref={place} tabIndex={-1} className="sr-only">
        {timers.length === 0 && 'No timer'}
      </span>
      {timers.length > 0 && (
        <Suspense>
          <HeaderTimer timers={timers} onGone={() => place.current?.focus()} />
        </Suspense>
      )}
    </>
  )
}

import { useRef } from 'react'
import { lazyComponent } from '../../../web/lazy'
import { useTimers } from './useTimers'

const HeaderTimer = lazyComponent(() => import('./HeaderTimer').then((module) => module.HeaderTimer))

export function LazyTimer() {
  const timers = useTimers()
  const place = useRef<HTMLSpanElement>(null)
  return (
    <>
      {/* Gets the focus when the timer that had it is gone. */}
      <span ref={place} tabIndex={-1} className="sr-only">
        {timers.length === 0 && 'No timer'}
      </span>
      {timers.length > 0 && <HeaderTimer timers={timers} onGone={() => place.current?.focus()} />}
    </>
  )
}

import { memo } from 'react'
import { clockOf } from '../../entries/basics'
import { useNow } from '../../entries/page/useNow'
import { elapsedMs, wholeMinutes } from '../basics'
import { useTimers } from './useTimers'

const LOOKS_EVERY = 10_000

/** The page's title, behind the time of the timer that runs: "1:23 · Spring catalogue · wrk". */
export const PageTitle = memo(function PageTitle({ children }: { children: string }) {
  const running = useTimers().find(({ status }) => status === 'ACTIVE')
  const now = useNow(running !== undefined, LOOKS_EVERY)
  const minutes = running ? wholeMinutes(elapsedMs(running, now)) : 0
  const clock = running ? `${clockOf(minutes)} · ` : ''
  return <title>{`${clock}${children} · wrk`}</title>
})

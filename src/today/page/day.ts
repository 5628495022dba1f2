import { useEffect, useState } from 'react'
import { dayAt } from '../../basics'
import type { OwnTask } from '../schema'

const MINUTE = 60_000

/** The viewer's calendar day, also once it is another. */
export function useDay(): string {
  const [day, setDay] = useState(() => dayAt(new Date()))
  useEffect(() => {
    const timer = setInterval(() => setDay(dayAt(new Date())), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return day
}

export const isDoneOn = ({ doneAt }: Pick<OwnTask, 'doneAt'>, day: string): boolean =>
  doneAt !== null && dayAt(new Date(doneAt)) === day

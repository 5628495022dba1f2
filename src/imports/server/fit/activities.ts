import { activityEvent } from '../../../activity/schema'
import type { BoardRow } from '../../../archive/boardRows'
import { TASK_TITLE_MAX } from '../../../tasks/basics'
import { cut, type Note } from './cut'

/** More than any event has: they are shown thirty at a time. */
const LENGTH_MAX = 20_000

/** Answers what happened, with people as `numberOf` has them; null for what this wrk has no sentence for. */
export function createActivityFitting(note: Note) {
  return ({ kind, detail, taskTitle }: BoardRow<'activities'>, numberOf: (person: number) => number | undefined) => {
    const about = typeof detail.userId === 'number' ? { ...detail, userId: numberOf(detail.userId) } : detail
    const event = activityEvent.safeParse({ kind, detail: about })
    const isLong = event.success && JSON.stringify(event.data.detail).length > LENGTH_MAX
    if (event.success && !isLong) return { ...event.data, taskTitle: taskTitle && cut(taskTitle, TASK_TITLE_MAX) }
    if (isLong) note('events over 20,000 characters: left out', kind)
    else note('events of kinds that are not known: left out', kind)
    return null
  }
}

import { activityEvent } from '../../../activity/schema'
import type { BoardRow } from '../../../archive/boardRows'
import { TASK_TITLE_MAX } from '../../../tasks/basics'
import { EVENT_MAX } from '../../schema'
import { EVENTS_TOO_LONG } from '../lossKinds'
import { cut, type Note } from './cut'

/** Answers what happened, with people as `numberOf` has them; null for what this wrk has no sentence for. */
export function createActivityFitting(note: Note) {
  return ({ kind, detail, taskTitle }: BoardRow<'activities'>, numberOf: (person: number) => number | undefined) => {
    const about = typeof detail.userId === 'number' ? { ...detail, userId: numberOf(detail.userId) } : detail
    const event = activityEvent.safeParse({ kind, detail: about })
    const isLong = event.success && JSON.stringify(event.data.detail).length > EVENT_MAX
    if (event.success && !isLong) return { ...event.data, taskTitle: taskTitle && cut(taskTitle, TASK_TITLE_MAX) }
    if (isLong) note(EVENTS_TOO_LONG, kind)
    else note('events of kinds that are not known: left out', kind)
    return null
  }
}

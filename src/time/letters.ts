import { letter } from '../mail/letters'
import type { Mail } from '../mail/store'
import { displayName } from '../users/inputs'
import { dayText, durationText, type TimeEntry } from './inputs'

/** What its owner did. */
export type Deed = 'logged' | 'started' | 'changed'

const DEEDS: Record<Deed, (who: string, entry: TimeEntry) => string> = {
  logged: (who, { task, duration }) => `${who} logged ${durationText(duration)} on “${task}”`,
  started: (who, { task }) => `${who} started a timer on “${task}”`,
  changed: (who, { task }) => `${who} changed a time entry on “${task}”`,
}

type Board = { id: number; name: string }
const linkTo = (origin: string, boardId: number, taskId: number) =>
  `${origin}/board/${boardId}?task=${taskId}&openTaskDetail=true`

/** Tells a member of a board what another did with their time, where that one wished it. */
export function entryMail(to: string, origin: string, board: Board, entry: TimeEntry, deed: Deed): Mail {
  const { day, duration, note, status } = entry
  const amount = status === 'completed' ? `, ${durationText(duration)}` : ''
  return {
    to,
    ...letter({
      subject: DEEDS[deed](displayName(entry.user), entry),
      paragraphs: [`On the board “${board.name}”: ${dayText(day)}${amount}.`, ...(note?.split('\n').filter(Boolean) ?? [])],
      action: { label: 'Open the task', link: linkTo(origin, board.id, entry.taskId) },
    }),
  }
}

/** Asks whoever forgot a timer, perhaps, how much of it was work. */
export const overdueMail = (to: string, origin: string, { task, boardId, taskId }: TimeEntry): Mail => ({
  to,
  ...letter({
    subject: `Still working on “${task}”?`,
    paragraphs: [
      'Your timer has been running for eight hours since you were last there. It goes on until you stop it.',
      'Nothing of it is logged unasked: when you stop it, you say how much of it was work.',
    ],
    action: { label: 'Open the task', link: linkTo(origin, boardId, taskId) },
  }),
})

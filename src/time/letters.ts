import { letter } from '../mail/letters'
import type { Mail } from '../mail/store'
import type { TimeEntry } from './inputs'

/** Asks whoever forgot a timer, perhaps, how much of it was work. */
export const overdueMail = (to: string, origin: string, { task, boardId, taskId }: TimeEntry): Mail => ({
  to,
  ...letter({
    subject: `Still working on “${task}”?`,
    paragraphs: [
      'Your timer has been running for eight hours since you were last there. It goes on until you stop it.',
      'Nothing of it is logged unasked: when you stop it, you say how much of it was work.',
    ],
    action: { label: 'Open the task', link: `${origin}/board/${boardId}?task=${taskId}&openTaskDetail=true` },
  }),
})

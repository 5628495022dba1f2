import { unsubscribeLink } from '../../notifications/server/mails'
import type { Mail } from '../../server/mail/store'
import { renderMail } from '../../server/mail/template'
import type { Overdue } from './timers.store'

export function overdueMail(origin: string, { email, unsubscribeToken, task, boardId, taskId }: Overdue): Mail {
  const unsubscribe = unsubscribeLink(origin, unsubscribeToken, 'notifyTimeEntries')
  const content = renderMail({
    subject: `Still working on “${task}”?`,
    paragraphs: [
      'Your timer on this task has run for at least eight hours since you started or last confirmed it.',
      'Nothing is logged until you stop it. You then choose how much of the time was work.',
    ],
    action: { label: 'Open the task', link: `${origin}/board/${boardId}?task=${taskId}&openTaskDetail=true` },
    footnote: 'You’re getting this because notifications about time entries are on.',
    unsubscribe,
  })
  return { to: email, unsubscribe, ...content }
}

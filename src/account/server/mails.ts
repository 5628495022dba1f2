import type { Mail } from '../../server/mail/store'
import { renderMail } from '../../server/mail/template'
import { displayName, type UserSummary } from '../../users/schema'
import type { Received } from './store'

export function handedOverMail(from: UserSummary, { email, boards }: Pick<Received, 'email' | 'boards'>, origin: string): Mail {
  const [one, ...others] = boards
  const only = others.length === 0 ? one : undefined
  const names = boards.map(({ name }) => `“${name}”`).join(', ')
  return {
    to: email,
    ...renderMail({
      subject: only ? `The board “${only.name}” is yours now` : `${boards.length} boards are yours now`,
      paragraphs: [
        `${displayName(from)} deleted their account and handed over to you: ${names}.`,
        'You are the creator now: you can rename or delete it, and remove members. Its tasks and hours are as before; theirs stay under “Former member”, and so do their comments and files, unless they chose to delete these.',
      ],
      action: { label: only ? 'Open the board' : 'Open wrk', link: only ? `${origin}/board/${only.id}` : `${origin}/` },
    }),
  }
}

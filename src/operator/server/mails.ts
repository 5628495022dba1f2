import type { Mail } from '../../server/mail/store'
import { renderMail } from '../../server/mail/template'

export const givenBoardMail = (to: string, { id, name }: { id: number; name: string }, origin: string): Mail => ({
  to,
  ...renderMail({
    subject: `The board “${name}” is yours now`,
    paragraphs: [
      `Whoever runs this server handed over to you the board “${name}”, of which you are a member.`,
      'You are the creator now: you can rename or delete it, and remove members. Nothing else of it has changed.',
    ],
    action: { label: 'Open the board', link: `${origin}/board/${id}` },
  }),
})

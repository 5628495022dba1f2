import { letter } from '../mail/letters'
import type { Mail } from '../mail/store'
import { displayName } from '../users/inputs'
import type { Comment } from './inputs'

/** Of a longer comment, so many characters are in the mail. */
const SHOWN = 1_000

type Place = { board: { id: number; name: string }; task: { id: number; title: string } }

/** Tells a member of a board that a comment mentions them. */
export function mentionMail(to: string, origin: string, { board, task }: Place, comment: Comment): Mail {
  const author = displayName(comment.user)
  return {
    to,
    ...letter({
      subject: `${author} mentioned you on “${task.title}”`,
      paragraphs: [`In a comment on the board “${board.name}”:`, ...excerpt(comment.content)],
      action: { label: 'Open the task', link: `${origin}/board/${board.id}?task=${task.id}&openTaskDetail=true` },
    }),
  }
}

/** The lines of a comment, as far as a mail goes. */
function excerpt(content: string): string[] {
  const characters = [...content]
  const shown = characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('').trimEnd()}…` : content
  return shown.split('\n').filter((line) => line.trim())
}

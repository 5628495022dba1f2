import { z } from 'zod'
import { id, requiredText } from '../inputs'
import { userSummary } from '../users/inputs'

const COMMENT_MAX = 10_000

/** The same text by the same user on the same task within this is refused, in milliseconds. */
export const REPEATED_WITHIN = 30_000
export const REPEATED = 'This exact comment was already submitted recently.'

/** So many comments are listed at once, at most. */
const LISTED_AT_ONCE = 1_000
/** And no further one where their texts have so many bytes. */
export const LISTED_BYTES = 2 ** 19

export const newComment = z.object({ content: requiredText(COMMENT_MAX, 'A comment cannot be blank') })

export const comment = z.object({
  id,
  taskId: id,
  userId: id,
  content: z.string(),
  createdAt: z.string(),
  user: userSummary,
})
export type Comment = z.infer<typeof comment>

/** Whether a list may go on after a part of it. */
export const isFull = (part: Pick<Comment, 'content'>[]) =>
  part.length >= LISTED_AT_ONCE || new TextEncoder().encode(part.map(({ content }) => content).join('')).length >= LISTED_BYTES

/** Where a list goes on: after a comment, whether that is still there or not. */
export const cursorAfter = ({ createdAt, id }: Pick<Comment, 'createdAt' | 'id'>) => `${Date.parse(createdAt)}-${id}`

const wholeNumber = z.union(
  [
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ],
  'Must be a whole number',
)

const cursor = z
  .string()
  .regex(/^\d{1,14}-\d{1,10}$/, 'Must be what X-Next-Cursor said')
  .transform((given) => given.split('-').map(Number))
  .pipe(z.tuple([z.number(), id]))
  .transform(([createdAt, id]) => ({ createdAt: new Date(createdAt), id }))

/** In an address numbers are text. */
export const part = z.object({
  limit: wholeNumber.pipe(z.number().int().min(1).max(LISTED_AT_ONCE)).default(LISTED_AT_ONCE),
  cursor: cursor.optional(),
})
export type Part = z.output<typeof part>

/** Not amid a word, an e-mail address or a link. */
const MENTION = /(?<![\p{L}\p{N}_/@])@([A-Za-z0-9._-]+)(?![\p{L}\p{N}@._-])/gu

export type Mention = { from: number; to: number; username: string }

/** Where a text mentions somebody of whom `isKnown` knows. A full stop after a name is none of it, unless it is. */
export function mentionsIn(content: string, isKnown: (username: string) => boolean): Mention[] {
  return [...content.matchAll(MENTION)].flatMap(({ 1: written = '', index }) => {
    let username = written.toLowerCase()
    while (!isKnown(username) && /[._-]$/.test(username)) username = username.slice(0, -1)
    return isKnown(username) ? [{ from: index, to: index + 1 + username.length, username }] : []
  })
}

import { z } from 'zod'
import { id, text } from '../schema'
import { STATUSES } from '../tasks/limits'
import { userSummary } from '../users/schema'
import { FIND_MAX } from './rank'

export * from './rank'

export const findInput = z.object({ text: text(FIND_MAX).min(1, 'Enter something to search for') })

const foundBoard = z.object({ id, name: z.string() })
export type FoundBoard = z.infer<typeof foundBoard>

/** If the title lacks a word: an `excerpt` of the description, or a `tag` that has the word. */
const foundTask = z.object({
  id,
  title: z.string(),
  status: z.enum(STATUSES),
  board: foundBoard,
  excerpt: z.string().nullable(),
  tag: z.string().nullable(),
})
export type FoundTask = z.infer<typeof foundTask>

const foundComment = z.object({
  id,
  task: z.object({ id, title: z.string() }),
  board: foundBoard,
  user: userSummary,
  excerpt: z.string(),
})
export type FoundComment = z.infer<typeof foundComment>

export const found = z.object({
  boards: z.array(foundBoard),
  tasks: z.array(foundTask),
  comments: z.array(foundComment),
  people: z.array(userSummary),
})
export type Found = z.infer<typeof found>

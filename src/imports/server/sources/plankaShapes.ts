import { z } from 'zod'
import type { Collected } from './json'
import { flag, id, parserOf, position, someId, someMoment, someName, someWords, words } from './shapes'

export const head = z.object({ item: z.object({ name: words, createdAt: someMoment }) })

const boardList = z.object({ id, name: someName, type: z.string().nullish(), position })
const card = z.object({
  id,
  name: words,
  description: someWords,
  listId: id,
  prevListId: someId,
  creatorUserId: someId,
  position,
  dueDate: someMoment,
  isDueCompleted: flag,
  isDueDateCompleted: flag,
  stopwatch: z.object({ startedAt: someMoment, total: z.number().nullish() }).nullish(),
  commentsTotal: z.number().nullish(),
  listChangedAt: z.string().nullish(),
  createdAt: someMoment,
  updatedAt: someMoment,
})
const taskList = z.object({ id, cardId: id, name: someWords, position })
const task = z.object({
  cardId: someId,
  taskListId: someId,
  name: someWords,
  isCompleted: flag,
  position,
  assigneeUserId: someId,
})
const user = z
  .object({ id, name: someName, username: someName, email: z.string().nullish() })
  .transform(({ name, username, ...rest }) => ({ ...rest, name: name || username }))
const attachment = z.object({
  id,
  cardId: id,
  name: someWords,
  type: z.string().nullish(),
  url: z.string().nullish(),
  data: z.object({ url: z.string().nullish() }).nullish(),
  creatorUserId: someId,
  createdAt: someMoment,
})
const field = z.object({ id, name: someName })
const fieldValue = z.object({ cardId: id, customFieldId: id, content: words })

const comment = z.object({ id, text: words, userId: someId, createdAt: someMoment })
const commentAction = z.object({ id, data: z.object({ text: words }), userId: someId, createdAt: someMoment })
/** In version 1 comments are actions. */
const someComment = comment.or(commentAction.transform(({ data, ...action }) => ({ ...action, text: data.text })))
export const commentParsers = { items: parserOf(someComment), 'included.users': parserOf(user) }
export const projectParsers = {
  items: parserOf(z.object({ id, name: words })),
  'included.boards': parserOf(z.object({ id, name: words, projectId: id })),
}
export const fieldParsers = { 'included.customFields': parserOf(field) }

export const boardParsers = {
  items: parserOf(card),
  'included.lists': parserOf(boardList),
  'included.cards': parserOf(card),
  'included.labels': parserOf(z.object({ id, name: someName, color: someName })),
  'included.cardLabels': parserOf(z.object({ cardId: id, labelId: id })),
  'included.cardMemberships': parserOf(z.object({ cardId: id, userId: id })),
  'included.boardMemberships': parserOf(z.object({ userId: id })),
  'included.taskLists': parserOf(taskList),
  'included.tasks': parserOf(task),
  'included.users': parserOf(user),
  'included.attachments': parserOf(attachment),
  'included.customFields': parserOf(field),
  'included.customFieldValues': parserOf(fieldValue),
}
export type Card = z.output<typeof card>
export type Attachment = z.output<typeof attachment>
export const addressOf = ({ url, data }: Pick<Attachment, 'url' | 'data'>): string => url ?? data?.url ?? ''
export const isFile = ({ type }: Pick<Attachment, 'type'>): boolean => type !== 'link'
export type User = z.output<typeof user>
export type Comment = z.output<typeof comment> & { cardId: string }
export type Found = Collected<typeof boardParsers>

import { z } from 'zod'
import { flag, id, list, name, position, someId, someMoment, someName, someWords, words } from './shapes'

const label = z.object({ _id: id, name: someName, color: someName })
export type Label = z.output<typeof label>
export const head = z.object({ title: words, description: someWords, createdAt: someMoment })
export const board = { labels: label, members: z.object({ userId: id, isActive: z.boolean().nullish() }) }

export const wekanList = z.object({ _id: id, title: name, archived: flag, sort: position })
export const swimlane = z.object({ _id: id, title: name, archived: flag, sort: position })
export const user = z.object({ _id: id, username: someName, profile: z.object({ fullname: someName }).nullish() })

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()])).max(200)]).nullish()
const vote = z.object({ question: someWords, positive: list(z.unknown()), negative: list(z.unknown()) }).nullish()

export const card = z.object({
  _id: id,
  title: words,
  description: someWords,
  listId: someId,
  swimlaneId: someId,
  parentId: z.string().nullish(),
  userId: someId.catch(null),
  members: list(id),
  assignees: list(id),
  requestedBy: someWords,
  assignedBy: someWords,
  labelIds: list(z.string()),
  archived: flag,
  sort: position,
  dueAt: someMoment,
  dueComplete: flag,
  startAt: someMoment,
  receivedAt: someMoment,
  endAt: someMoment,
  createdAt: someMoment,
  modifiedAt: someMoment,
  spentTime: z.number().nullish(),
  isOvertime: flag,
  customFields: list(z.object({ _id: id, value })),
  vote,
  poker: z.object({ question: z.boolean().nullish() }).nullish(),
})
export type Card = z.output<typeof card>
export type Value = z.output<typeof value>

const option = z.object({ _id: id, name: someName })
export const customField = z.object({
  _id: id,
  name: someName,
  settings: z.object({ dropdownItems: list(option) }).nullish(),
})
export type CustomField = z.output<typeof customField>

const itemOf = { title: someWords, isFinished: flag, sort: position }
/** Until the spring of 2018 items were within their checklist. */
export const checklist = z.object({ _id: id, cardId: id, title: someWords, sort: position, items: list(z.object(itemOf)) })
export const item = z.object({ checklistId: id, ...itemOf })
export type Checklist = z.output<typeof checklist>
export type Item = z.output<typeof item>

export const comment = z.object({ cardId: id, text: words, userId: someId, createdAt: someMoment })
export const attachment = z.object({
  cardId: id,
  name: someWords,
  file: z
    .string()
    .nullish()
    .transform((text) => (text ? Buffer.from(text, 'base64') : null)),
  url: z.string().nullish(),
  userId: someId,
})

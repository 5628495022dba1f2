import { z } from 'zod'
import { flag, id, list, name, position, someId, someMoment, someName, someWords, words } from './shapes'

export const head = z.object({ id: someId.transform((given) => given ?? ''), name: words, desc: someWords })
export const trelloList = z.object({ id, name, closed: flag, pos: position })
export const label = z.object({ id: someId, name: someWords, color: someWords })
export const member = z.object({ id, fullName: someName, username: someName })

const number = z.number().nullish()
const attachment = z.object({
  name: someWords,
  url: words,
  date: someMoment,
  idMember: someId,
  isUpload: flag,
})
const fieldItem = z.object({
  idCustomField: id,
  idValue: someId,
  value: z.object({ text: z.string(), number: z.string(), date: z.string(), checked: z.string() }).partial().nullish(),
})

export const card = z.object({
  id,
  name: words,
  desc: someWords,
  idList: id,
  closed: flag,
  pos: position,
  due: someMoment,
  start: someMoment,
  dueComplete: flag,
  dateCompleted: someMoment,
  dateLastActivity: someMoment,
  idMembers: list(id),
  labels: list(label),
  attachments: list(attachment),
  customFieldItems: list(fieldItem),
  stickers: list(z.unknown()),
  pluginData: list(z.unknown()),
  idMembersVoted: list(z.unknown()),
  locationName: someWords,
  address: someWords,
  isTemplate: flag,
  mirrorSourceId: someId,
  dueReminder: number,
  badges: z.object({ comments: number, votes: number }).nullish(),
})
export type Card = z.output<typeof card>

const item = z.object({ name: someWords, state: someWords, pos: position, due: someMoment, idMember: someId })
export const checklist = z.object({ idCard: id, name: someWords, pos: position, checkItems: list(item) })
export type Checklist = z.output<typeof checklist>

const option = z.object({ id, value: z.object({ text: someName }) })
export const customField = z.object({ id, name: someName, options: list(option) })
export type CustomField = z.output<typeof customField>

export const anyAction = z.object({ type: someWords })
const author = { idMemberCreator: someId, memberCreator: member.nullish() }
const onCard = z.object({ id })
export const comment = z.object({
  ...author,
  date: someMoment,
  data: z.object({ text: words, card: onCard }),
})
export const createdCard = z.object({
  ...author,
  date: someMoment,
  data: z.object({ card: onCard }),
})

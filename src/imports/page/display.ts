import { calendarDay, shortDuration } from '../../activity/page/display'
import { dayAt } from '../../basics'
import { displayName } from '../../users/basics'
import { COUNTED_MAX, IMPORT_DAYS, numberText } from '../basics'
import type { ImportedName, Preview } from '../schema'

const DAY_MS = 86_400_000

export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`

/** "3 tasks, 1,000+ comments, 4h 30m" */
export function workText({ tasks, comments, minutes }: NonNullable<ImportedName['work']>): string {
  const counted = (count: number, one: string) =>
    count > 0 && (count < COUNTED_MAX ? countText(count, one) : `${numberText(count)}+ ${one}s`)
  return [counted(tasks, 'task'), counted(comments, 'comment'), minutes > 0 && shortDuration(minutes)].filter(Boolean).join(', ')
}

/** Until when an upload is kept at least. */
export const keptUntil = (createdAt: string): string => calendarDay(dayAt(new Date(Date.parse(createdAt) + IMPORT_DAYS * DAY_MS)))

/** Who of them the viewer begins as: whoever has their proven address, or else the only one with their name. */
export function likelyMe(viewer: { name: string | null; username: string }, people: Preview['people']): number | undefined {
  const matched = people.find(({ isMe }) => isMe)
  if (matched) return matched.id
  const [one, ...others] = people.filter(({ name }) => name === displayName(viewer))
  return others.length === 0 ? one?.id : undefined
}

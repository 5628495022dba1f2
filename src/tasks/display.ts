import { DESCRIPTION_SHOWN } from './inputs'

const TITLE_SHOWN = 28

/** A title cut to about 28 characters at a word boundary, with an ellipsis (board-page.md, section 2). */
export function cutTitle(title: string): string {
  const characters = [...title]
  if (characters.length <= TITLE_SHOWN) return title
  const head = characters.slice(0, TITLE_SHOWN + 1).join('')
  const boundary = head.search(/\s+\S*$/)
  const kept = boundary > TITLE_SHOWN / 2 ? head.slice(0, boundary) : characters.slice(0, TITLE_SHOWN).join('')
  return `${kept.trimEnd()}…`
}

/** The first words of a description without the marks of its Markdown, for a card. */
export const preview = (markdown: string): string =>
  markdown
    .slice(0, DESCRIPTION_SHOWN)
    .replace(/!?\[([^\]]*)\]\([^)]*\)?/g, '$1')
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+\.)\s+(\[[ x]\]\s+)?/gim, '')
    .replace(/^\s*[|:\s-]+$/gm, '')
    .replace(/(\*\*|__|~~|`+)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replace(/(?<!\w)([*_])(?=\S)([^\n]*?\S)\1(?!\w)/g, '$2')
    .trim()

const SHORT_DAY = new Intl.DateTimeFormat('en-CA', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const LONG_MOMENT = new Intl.DateTimeFormat('en-CA', { dateStyle: 'medium', timeStyle: 'short' })

/** A calendar day (YYYY-MM-DD) as short month and day. */
export const shortDay = (day: string): string => SHORT_DAY.format(new Date(`${day}T00:00:00Z`))

/** A moment (ISO 8601) in the viewer's own time. */
export const moment = (iso: string): string => LONG_MOMENT.format(new Date(iso))

/** Every tag of some tasks, once, in the alphabet's order. */
export const tagsOf = (tasks: readonly { tags: string[] }[]): string[] =>
  [...new Set(tasks.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b))

export type Day = 'past' | 'today' | 'ahead'

/** The calendar day (YYYY-MM-DD) of a moment, where the viewer is. */
export const dayAt = (moment: Date): string =>
  `${moment.getFullYear()}-${String(moment.getMonth() + 1).padStart(2, '0')}-${String(moment.getDate()).padStart(2, '0')}`

/** Where a calendar day lies, seen from the viewer's own today. */
export function dayOf(day: string, now = new Date()): Day {
  const today = dayAt(now)
  return day === today ? 'today' : day < today ? 'past' : 'ahead'
}

import { listMarkOf } from '../../checklist'
import { shortDay } from '../../days'
import { matchesMember } from '../../users/page/MentionArea'
import { displayName, type UserSummary } from '../../users/schema'
import { dayInTitle } from '../../web/ui/day/parseDay'
import { TAG_MAX, TAGS_MAX } from '../limits'

/** A name, tag or day in the line; `text` is as typed. */
export type Chip = { text: string; label: string; from: number; to: number }
export type QuickAdded = { title: string; assignees: UserSummary[]; tags: string[]; due: string | null; chips: Chip[] }

/** `plain` are parts that the user turned back into text. */
type Reading = { members: UserSummary[]; viewer: { id: number }; today: string; first?: number; plain: readonly string[] }
type Word = { text: string; from: number; to: number }

const wordsOf = (line: string, at: number): Word[] =>
  [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => ({ text, from: at + index, to: at + index + text.length }))

/** A task from one line: `@name`, `#tag` and a day at the end. `at` is where the line starts in the text. */
export function parseQuickAdd(line: string, reading: Reading, at = 0): QuickAdded {
  const found: QuickAdded = { title: '', assignees: [], tags: [], due: null, chips: [] }
  const left = wordsOf(line, at).filter((word) => reading.plain.includes(word.text) || !takeName(word, reading, found))
  const days = dayAtEnd(left, reading)
  const rest = days ? left.slice(0, -days.words) : left
  if (days) {
    found.due = days.day
    found.chips.push(days.chip)
  }
  // A title is required, so a single word is one.
  if (rest.length === 0) return { title: line.trim(), assignees: [], tags: [], due: null, chips: [] }
  return { ...found, title: rest.map(({ text }) => text).join(' ') }
}

function takeName(word: Word, { members, viewer }: Reading, { assignees, tags, chips }: QuickAdded): boolean {
  const name = word.text.slice(1)
  if (word.text.startsWith('@')) {
    const member = memberOf(name.toLowerCase(), members, viewer)
    if (!member) return false
    if (!assignees.includes(member)) assignees.push(member)
    chips.push({ ...word, label: `@${displayName(member)}` })
    return true
  }
  if (!/^#\S*\p{L}/u.test(word.text) || name.length > TAG_MAX || tags.length >= TAGS_MAX) return false
  if (!tags.includes(name)) tags.push(name)
  chips.push({ ...word, label: word.text })
  return true
}

function memberOf(name: string, members: UserSummary[], viewer: { id: number }): UserSummary | undefined {
  if (name === '') return undefined
  const exact = members.find(({ username }) => username === name)
  if (exact) return exact
  if (name === 'me') return members.find(({ id }) => id === viewer.id)
  const [one, ...others] = members.filter((member) => matchesMember(member, name))
  return others.length === 0 ? one : undefined
}

const MOST_WORDS = 3

function dayAtEnd(words: Word[], { today, first: weekday, plain }: Reading) {
  for (let count = Math.min(MOST_WORDS, words.length - 1); count > 0; count--) {
    const last = words.slice(-count)
    const text = last.map((word) => word.text).join(' ')
    const day = dayInTitle(text, today, { first: weekday })
    const [first, end] = [last[0], last.at(-1)]
    if (!day || !first || !end) continue
    if (plain.some((one) => one === text || one.endsWith(` ${text}`))) return undefined
    return { day, words: count, chip: { text, label: shortDay(day), from: first.from, to: end.to } }
  }
  return undefined
}

/** List marks are dropped if several lines were pasted. */
export function splitLines(text: string): { line: string; at: number }[] {
  const lines = [...text.matchAll(/[^\n]+/g)]
    .map(({ 0: line, index: at }) => ({ line, at }))
    .filter(({ line }) => line.trim() !== '')
  if (lines.length < 2) return lines
  const unmarked = lines.map(({ line, at }) => ({ line, at, mark: listMarkOf(line).length }))
  return unmarked
    .map(({ line, at, mark }) => ({ line: line.slice(mark), at: at + mark }))
    .filter(({ line }) => line.trim() !== '')
}

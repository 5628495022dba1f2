import type { BoardRow } from '../../../archive/boardRows'
import { FILE_MAX_BYTES, fileNameProblem, kindByName } from '../../../attachments/schema'
import { COMMENT_MAX } from '../../../comments/schema'
import { MINUTES_MAX } from '../../../time/entries/basics'
import { NOTE_MAX, timeZone } from '../../../time/entries/schema'
import { RATE_MAX, RATES_MAX } from '../../../time/rates/schema'
import { email, formerMemberName, NAME_MAX } from '../../../users/schema'
import { COMMENTS_SPLIT, ENTRIES_TOO_LONG, ENTRY_NOTES_CUT, FILES_TOO_LARGE, RATES_TOO_HIGH } from '../lossKinds'
import { cut, type Note } from './cut'

const NOBODY = 'Somebody'

/** Only an address that anybody could prove says whose a name is. */
const fittingPerson = (person: BoardRow<'people'>): BoardRow<'people'> => ({
  ...person,
  name: cut(person.name.trim() || NOBODY, NAME_MAX),
  email: email.safeParse(person.email).data ?? null,
})

/** Answers who it is: people with one address are the first of them, so that whoever has it is asked once. */
export function createPersonFitting(note: Note) {
  const byAddress = new Map<string, BoardRow<'people'>>()
  let lastFormer: string[] = []
  return (row: BoardRow<'people'>): BoardRow<'people'> => {
    if (row.former) {
      const name = formerMemberName(lastFormer)
      lastFormer = [name]
      return { ...row, name, email: null, member: false }
    }
    const person = fittingPerson(row)
    if (person.email === null) return person
    const first = byAddress.get(person.email)
    if (!first) {
      byAddress.set(person.email, person)
      return person
    }
    if (first.name !== person.name) note('people with the same email: now one person', `${person.name} → ${first.name}`)
    return first
  }
}

/** One or, where it is too long, several; none where it is blank. */
export function fittingComments(comment: BoardRow<'comments'>, note: Note): BoardRow<'comments'>[] {
  const content = comment.content.trim()
  if (content === '') note('comments without words: left out', comment.createdAt)
  if (content.length > COMMENT_MAX) note(COMMENTS_SPLIT, content)
  return splitComment(content).map((part) => ({ ...comment, content: part }))
}

function splitComment(content: string): string[] {
  const parts: string[] = []
  for (let rest = content; rest !== ''; ) {
    const part = cut(rest, COMMENT_MAX)
    parts.push(part)
    rest = rest.slice(part.length).trim()
  }
  return parts
}

export const NOT_ACCEPTED = 'files of types that are not accepted: left out'

const UNSAFE = /[\p{C}\p{Zl}\p{Zp}/\\]/gu

/** Null where it is known before anybody looks into the file that it is not accepted. */
export function fittingAttachment(attachment: BoardRow<'attachments'>, size: number | null, note: Note) {
  const name = fileNameProblem(attachment.name)
    ? cut(attachment.name.replaceAll(UNSAFE, '_').trim(), 255) || 'file'
    : attachment.name
  if (name !== attachment.name) note('names of files that are not accepted: mended', attachment.name)
  const refusal = size !== null && size > FILE_MAX_BYTES ? FILES_TOO_LARGE : kindByName(name) ? undefined : NOT_ACCEPTED
  if (!refusal) return { ...attachment, name }
  note(refusal, name)
  return null
}

/** As of time entries that are typed; further ones no list could go on after. */
const isOfOurs = (moment: string) => moment >= '1970-01-02' && moment < '2999-12-31'

export function fittingEntry(entry: BoardRow<'entries'>, note: Note): BoardRow<'entries'> | null {
  const refusal =
    entry.minutes > MINUTES_MAX
      ? ENTRIES_TOO_LONG
      : [entry.day, entry.startTime, entry.endTime ?? entry.startTime].every(isOfOurs)
        ? undefined
        : 'time entries before 1970 or after 2999: left out'
  if (refusal) {
    note(refusal, `${entry.day}: ${entry.note ?? ''}`)
    return null
  }
  const words = entry.note?.trim() || null
  if (words && words.length > NOTE_MAX) note(ENTRY_NOTES_CUT, words)
  return { ...entry, note: words && cut(words, NOTE_MAX), timeZone: timeZone.safeParse(entry.timeZone).data ?? 'UTC' }
}

/** In the order of their rows, for a person can have so many. */
export function createRateFitting(note: Note) {
  const daysOf = new Map<number, Set<string | null>>()
  return (rate: BoardRow<'rates'>, person: number): boolean => {
    const days = daysOf.get(person) ?? new Set()
    daysOf.set(person, days)
    const refusal =
      rate.cents > RATE_MAX
        ? RATES_TOO_HIGH
        : days.has(rate.from)
          ? 'hourly rates of a day from which the person has another: left out'
          : days.size >= RATES_MAX && `hourly rates beyond ${RATES_MAX} of a person: left out`
    if (!refusal) days.add(rate.from)
    if (refusal) note(refusal, `${rate.from ?? ''} ${rate.cents / 100}`)
    return !refusal
  }
}

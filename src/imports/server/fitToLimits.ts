import type { BoardRow } from '../../archive/schema'
import { type AcceptedFiles, fileNameProblem, kindByName } from '../../attachments/schema'
import { activityEvent } from '../../boards/activity'
import { COMMENT_MAX } from '../../comments/schema'
import { isDay } from '../../days'
import { isVisible, withoutDirection } from '../../format'
import { BOARD_QUOTA, TAG_MAX, TAGS_MAX, TASK_TITLE_MAX } from '../../tasks/limits'
import { TASK_DESCRIPTION_MAX } from '../../tasks/schema'
import { MINUTES_MAX } from '../../time/limits'
import { NOTE_MAX, RATE_MAX, RATES_MAX, timeZone } from '../../time/schema'
import { email, formerMemberName, NAME_MAX } from '../../users/schema'
import { EVENT_MAX } from '../schema'
import {
  COMMENTS_SPLIT,
  DESCRIPTIONS_BEYOND,
  DESCRIPTIONS_CUT,
  ENTRIES_TOO_LONG,
  ENTRY_NOTES_CUT,
  EVENTS_TOO_LONG,
  FILES_TOO_LARGE,
  type LossKind,
  RATES_TOO_HIGH,
} from './sources/losses'

type Task = BoardRow<'tasks'>

const UNTITLED = 'Untitled'

const TAGS_UNSEEN = 'tags without a visible character: left out'
const PEOPLE_UNNAMED = 'people without a name: called A user'
export const EVENTS_OF_NO_LIST = 'events of the whole board or of deleted tasks, which belong to no list: left out'

/** Fits tasks into a board's limits, in order: the descriptions have a limit together. */
export function createTaskFitter(note: Note) {
  let bytes = 0
  return (task: Task): Task => {
    const description = fittingDescription(task, note)
    bytes += Buffer.byteLength(description ?? '')
    const isTooMuch = bytes > BOARD_QUOTA.descriptionBytes
    if (isTooMuch && description) note(DESCRIPTIONS_BEYOND, task.title)
    return {
      ...task,
      title: fittingTitle(task, note),
      description: isTooMuch ? null : description,
      tags: fittingTags(task, note),
      dueDate: fittingDay(task, note),
    }
  }
}

/** By the rule of `requiredName`, but cut, and empty where that refuses. */
export function fittingName(text: string, max: number): string {
  const name = truncate(nameOf(text), max)
  return isVisible(name) ? name : ''
}

const nameOf = (text: string) => withoutDirection(text).trim()

function fittingTitle({ title, description }: Task, note: Note): string {
  const fitting = fittingName(title, TASK_TITLE_MAX)
  if (fitting === '') note('tasks without a title: called Untitled', description ?? '')
  return fitting || UNTITLED
}

function fittingDescription({ title, description }: Task, note: Note): string | null {
  const full = nameOf(title)
  const isLong = full.length > TASK_TITLE_MAX
  if (isLong) note(`titles over ${TASK_TITLE_MAX} characters: cut, with the full title at the top of the description`, title)
  const text = [isLong ? full : '', description?.trim() ?? ''].filter(Boolean).join('\n\n')
  if (text.length > TASK_DESCRIPTION_MAX) note(DESCRIPTIONS_CUT, title)
  return truncate(text, TASK_DESCRIPTION_MAX) || null
}

function fittingTags({ title, tags, list }: Task, note: Note): string[] {
  const given = [...new Set([...(list === null ? [] : [list]), ...tags].filter((tag) => tag.trim() !== ''))]
  const seen = given.filter((tag) => fittingName(tag, TAG_MAX) !== '')
  if (seen.length < given.length) note(TAGS_UNSEEN, title)
  const long = new Set(seen.map(nameOf).filter((tag) => tag.length > TAG_MAX))
  for (const tag of long) note(`tags over ${TAG_MAX} characters: cut`, tag)
  const fitting = [...new Set(seen.map((tag) => fittingName(tag, TAG_MAX)))]
  if (fitting.length > TAGS_MAX) note(`tags beyond the ${TAGS_MAX} that a task can have: left out`, title)
  return fitting.slice(0, TAGS_MAX)
}

function fittingDay({ title, dueDate }: Task, note: Note): string | null {
  if (dueDate === null || isDay(dueDate)) return dueDate
  note('due dates before the year 1000: left out', title)
  return null
}

const NOBODY = 'A user'

function fittingPerson(person: BoardRow<'people'>, note: Note): BoardRow<'people'> {
  const name = fittingName(person.name, NAME_MAX)
  if (name === '') note(PEOPLE_UNNAMED, person.email ?? '')
  return { ...person, name: name || NOBODY, email: email.safeParse(person.email).data ?? null }
}

/** People with the same address become the first of them, so that its owner is asked once. */
export function createPersonFitter(note: Note) {
  const byAddress = new Map<string, BoardRow<'people'>>()
  let lastFormer: string[] = []
  return (row: BoardRow<'people'>): BoardRow<'people'> => {
    if (row.former) {
      const name = formerMemberName(lastFormer)
      lastFormer = [name]
      return { ...row, name, email: null, member: false }
    }
    const person = fittingPerson(row, note)
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

export function fitComments(comment: BoardRow<'comments'>, note: Note): BoardRow<'comments'>[] {
  const content = comment.content.trim()
  if (content === '') note('empty comments: left out', comment.createdAt)
  if (content.length > COMMENT_MAX) note(COMMENTS_SPLIT, content)
  return splitComment(content).map((part) => ({ ...comment, content: part }))
}

function splitComment(content: string): string[] {
  const parts: string[] = []
  for (let rest = content; rest !== ''; ) {
    const part = truncate(rest, COMMENT_MAX)
    parts.push(part)
    rest = rest.slice(part.length).trim()
  }
  return parts
}

export const NOT_ACCEPTED = 'files of types that are not accepted: left out'

const UNSAFE = /[\p{C}\p{Zl}\p{Zp}/\\]/gu

export function fitAttachment(attachment: BoardRow<'attachments'>, size: number | null, accepted: AcceptedFiles, note: Note) {
  const name = fileNameProblem(attachment.name)
    ? truncate(attachment.name.replaceAll(UNSAFE, '_').trim(), 255) || 'file'
    : attachment.name
  if (name !== attachment.name) note('file names that are not accepted: changed', attachment.name)
  const refusal =
    size !== null && size > accepted.maxBytes ? FILES_TOO_LARGE : kindByName(name, accepted) ? undefined : NOT_ACCEPTED
  if (!refusal) return { ...attachment, name }
  note(refusal, name)
  return null
}

/** The bounds of typed time entries. */
const isOfOurs = (moment: string) => moment >= '1970-01-02' && moment < '2999-12-31'

export function fitEntry(entry: BoardRow<'entries'>, note: Note): BoardRow<'entries'> | null {
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
  return { ...entry, note: words && truncate(words, NOTE_MAX), timeZone: timeZone.safeParse(entry.timeZone).data ?? 'UTC' }
}

/** In order, because a person has a limited number. */
export function createRateFitter(note: Note) {
  const daysOf = new Map<number, Set<string | null>>()
  return (rate: BoardRow<'rates'>, person: number): boolean => {
    const days = daysOf.get(person) ?? new Set()
    daysOf.set(person, days)
    const refusal =
      rate.cents > RATE_MAX
        ? RATES_TOO_HIGH
        : days.has(rate.from)
          ? 'extra hourly rates for the same person and day: left out'
          : days.size >= RATES_MAX && `hourly rates beyond ${RATES_MAX} per person: left out`
    if (!refusal) days.add(rate.from)
    if (refusal) note(refusal, `${rate.from ?? ''} ${rate.cents / 100}`)
    return !refusal
  }
}

/** Null for events that this version has no sentence for. */
export function createActivityFitter(note: Note) {
  return ({ kind, detail, taskTitle }: BoardRow<'activities'>, numberOf: (person: number) => number | undefined) => {
    const about = typeof detail.userId === 'number' ? { ...detail, userId: numberOf(detail.userId) ?? null } : detail
    // All texts in it are titles, tags and names.
    const event = activityEvent.safeParse({ kind, detail: JSON.parse(withoutDirection(JSON.stringify(about))) })
    const isLong = event.success && JSON.stringify(event.data.detail).length > EVENT_MAX
    if (event.success && !isLong)
      return { ...event.data, taskTitle: taskTitle && (fittingName(taskTitle, TASK_TITLE_MAX) || UNTITLED) }
    if (isLong) note(EVENTS_TOO_LONG, kind)
    else note('events of unknown kinds: left out', kind)
    return null
  }
}

export type Note = (what: LossKind, example: string) => void

/** The preview has noted it already. */
export const ignoreLosses: Note = () => {}

/** Never ends in half of a surrogate pair. */
export const truncate = (text: string, length: number): string =>
  text.length <= length
    ? text
    : text
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()

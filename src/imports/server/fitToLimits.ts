import type { BoardRow } from '../../archive/schema'
import { extensionOf } from '../../archive/server/writeArchive'
import { type AcceptedFiles, fileNameProblem, kindByName } from '../../attachments/schema'
import { activityEvent } from '../../boards/activity'
import { BOARD_DESCRIPTION_MAX, BOARD_NAME_MAX } from '../../boards/limits'
import { COMMENT_MAX } from '../../comments/schema'
import { isDay } from '../../days'
import { isVisible, withoutDirection } from '../../format'
import { BOARD_QUOTA, TAG_MAX, TAGS_MAX, TASK_TITLE_MAX } from '../../tasks/limits'
import { TASK_DESCRIPTION_MAX } from '../../tasks/schema'
import { MINUTES_MAX } from '../../time/limits'
import { NOTE_MAX, RATE_MAX, RATES_MAX, timeZone } from '../../time/schema'
import { email, formerMemberName, NAME_MAX } from '../../users/schema'
import { EVENT_MAX } from '../schema'
import type { LossKind } from './sources/losses'

type Task = BoardRow<'tasks'>

const UNTITLED = 'Untitled'

export type Note = (kind: LossKind, example: string) => void

/** The preview has already noted it. */
export const ignoreLosses: Note = () => {}

/** Fits rows into a board's limits, in order, because some share a limit. Null for what is left out. */
export const createFitting = (note: Note, accepted: AcceptedFiles) => ({
  board: (row: BoardRow<'board'>) => fittingBoard(row, note),
  people: createPersonFitter(note),
  tasks: createTaskFitter(note),
  comments: (row: BoardRow<'comments'>) => fittingComments(row, note),
  attachments: (row: BoardRow<'attachments'>, size: number | null) => fittingAttachment(row, size, accepted, note),
  entries: (row: BoardRow<'entries'>) => fittingEntry(row, note),
  rates: createRateFitter(note),
  activities: (row: BoardRow<'activities'>, numberOf: NumberOf) => fittingActivity(row, numberOf, note),
})

function fittingBoard({ name, description, createdAt }: BoardRow<'board'>, note: Note): BoardRow<'board'> {
  const text = description?.trim() ?? ''
  if (text.length > BOARD_DESCRIPTION_MAX) note('boardDescriptionCut', name)
  return { name: fittingName(name, BOARD_NAME_MAX), description: truncate(text, BOARD_DESCRIPTION_MAX) || null, createdAt }
}

function createTaskFitter(note: Note) {
  let bytes = 0
  return (task: Task): Task => {
    const description = fittingDescription(task, note)
    bytes += Buffer.byteLength(description ?? '')
    const isTooMuch = bytes > BOARD_QUOTA.descriptionBytes
    if (isTooMuch && description) note('descriptionsFull', task.title)
    return {
      ...task,
      title: fittingTitle(task, note),
      description: isTooMuch ? null : description,
      tags: fittingTags(task, note),
      dueDate: fittingDay(task, note),
    }
  }
}

/** Like `requiredName`, but cut instead of refused; empty if nothing is visible. */
export function fittingName(text: string, max: number): string {
  const name = truncate(nameOf(text), max)
  return isVisible(name) ? name : ''
}

const nameOf = (text: string) => withoutDirection(text).trim()

function fittingTitle({ title, description }: Task, note: Note): string {
  const fitting = fittingName(title, TASK_TITLE_MAX)
  if (fitting === '') note('taskUntitled', description ?? '')
  return fitting || UNTITLED
}

function fittingDescription({ title, description }: Task, note: Note): string | null {
  const full = nameOf(title)
  const isLong = full.length > TASK_TITLE_MAX
  if (isLong) note('titleCut', title)
  const text = [isLong ? full : '', description?.trim() ?? ''].filter(Boolean).join('\n\n')
  if (text.length > TASK_DESCRIPTION_MAX) note('descriptionCut', title)
  return truncate(text, TASK_DESCRIPTION_MAX) || null
}

function fittingTags({ title, tags, list }: Task, note: Note): string[] {
  const given = [...new Set([...(list === null ? [] : [list]), ...tags].filter((tag) => tag.trim() !== ''))]
  const seen = given.filter((tag) => fittingName(tag, TAG_MAX) !== '')
  if (seen.length < given.length) note('tagUnseen', title)
  const long = new Set(seen.map(nameOf).filter((tag) => tag.length > TAG_MAX))
  for (const tag of long) note('tagCut', tag)
  const fitting = [...new Set(seen.map((tag) => fittingName(tag, TAG_MAX)))]
  if (fitting.length > TAGS_MAX) note('tagsFull', title)
  return fitting.slice(0, TAGS_MAX)
}

function fittingDay({ title, dueDate }: Task, note: Note): string | null {
  if (dueDate === null || isDay(dueDate)) return dueDate
  note('dueTooOld', title)
  return null
}

const NOBODY = 'A user'

function fittingPerson(person: BoardRow<'people'>, note: Note): BoardRow<'people'> {
  const name = fittingName(person.name, NAME_MAX)
  if (name === '') note('personUnnamed', person.email ?? '')
  return { ...person, name: name || NOBODY, email: email.safeParse(person.email).data ?? null }
}

/** People with the same address become the first of them, so that its owner is asked once. */
function createPersonFitter(note: Note) {
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
    const first = byAddress.get(person.email) ?? person
    byAddress.set(person.email, first)
    if (first.name !== person.name) note('sameEmail', `${person.name} → ${first.name}`)
    return first
  }
}

function fittingComments(comment: BoardRow<'comments'>, note: Note): BoardRow<'comments'>[] {
  const content = comment.content.trim()
  if (content === '') note('commentEmpty', comment.createdAt)
  if (content.length > COMMENT_MAX) note('commentSplit', content)
  const parts: BoardRow<'comments'>[] = []
  for (let rest = content; rest !== ''; ) {
    const part = truncate(rest, COMMENT_MAX)
    parts.push({ ...comment, content: part })
    rest = rest.slice(part.length).trim()
  }
  return parts
}

const UNSAFE = /[\p{C}\p{Zl}\p{Zp}/\\]/gu

const FILE_NAME_MAX = 255

function fittingFileName(given: string): string {
  const name = given.replaceAll(UNSAFE, '_').trim()
  const extension = extensionOf(name)
  return name.length > FILE_NAME_MAX ? truncate(name, FILE_NAME_MAX - extension.length) + extension : name || 'file'
}

function fittingAttachment(row: BoardRow<'attachments'>, size: number | null, accepted: AcceptedFiles, note: Note) {
  const isFine = fileNameProblem(row.name) === undefined
  const name = isFine ? row.name : fittingFileName(row.name)
  if (name !== row.name) note('fileRenamed', row.name)
  const isTooLarge = size !== null && size > accepted.maxBytes
  if (!isTooLarge && kindByName(name, accepted)) return { ...row, name }
  note(isTooLarge ? 'fileTooLarge' : 'fileNotAccepted', name)
  return null
}

/** The bounds of typed time entries. */
const isOfOurs = (moment: string) => moment >= '1970-01-02' && moment < '2999-12-31'

function fittingEntry(entry: BoardRow<'entries'>, note: Note): BoardRow<'entries'> | null {
  const { minutes, day, startTime, endTime } = entry
  const isTooLong = minutes > MINUTES_MAX
  if (isTooLong || ![day, startTime, endTime ?? startTime].every(isOfOurs)) {
    note(isTooLong ? 'entryTooLong' : 'entryTooOldOrNew', `${day}: ${entry.note ?? ''}`)
    return null
  }
  const words = entry.note?.trim() || null
  if (words && words.length > NOTE_MAX) note('entryNoteCut', words)
  const isTurned = endTime !== null && endTime < startTime
  if (isTurned) note('timesDiffer', `${day}: ${words ?? ''}`)
  return {
    ...entry,
    endTime: isTurned ? null : endTime,
    note: words && truncate(words, NOTE_MAX),
    timeZone: timeZone.safeParse(entry.timeZone).data ?? 'UTC',
  }
}

export function createRateFitter(note: Note) {
  const daysOf = new Map<number, Set<string | null>>()
  return (rate: BoardRow<'rates'>, person: number): boolean => {
    const days = daysOf.get(person) ?? new Set()
    daysOf.set(person, days)
    const refusal: LossKind | null =
      rate.cents > RATE_MAX ? 'rateTooHigh' : days.has(rate.from) ? 'rateTwice' : days.size >= RATES_MAX ? 'ratesFull' : null
    if (refusal) note(refusal, `${rate.from ?? ''} ${rate.cents / 100}`)
    else days.add(rate.from)
    return !refusal
  }
}

type NumberOf = (person: number) => number | undefined

/** Null for events that this version has no sentence for. */
function fittingActivity({ kind, detail: given, taskTitle }: BoardRow<'activities'>, numberOf: NumberOf, note: Note) {
  const fitting = ([name, value]: [string, unknown]) =>
    [name, name === 'userId' && typeof value === 'number' ? (numberOf(value) ?? null) : plain(value)] as const
  const detail = Object.fromEntries(Object.entries(given).map(fitting))
  const event = activityEvent.safeParse({ kind, detail })
  const isLong = event.success && JSON.stringify(event.data.detail).length > EVENT_MAX
  if (event.success && !isLong)
    return { ...event.data, taskTitle: taskTitle && (fittingName(taskTitle, TASK_TITLE_MAX) || UNTITLED) }
  note(isLong ? 'eventTooLong' : 'eventUnknown', kind)
  return null
}

/** All texts of an event are titles, tags and names. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === 'string' ? withoutDirection(value) : value
}

/** Never splits a surrogate pair. */
export const truncate = (text: string, length: number): string =>
  text.length <= length
    ? text
    : text
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()

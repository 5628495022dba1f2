import { BOARD_FILES_MAX_BYTES, TASK_FILES_MAX } from '../../../attachments/schema'
import { BOARD_DESCRIPTION_MAX } from '../../../boards/limits'
import { COMMENT_MAX } from '../../../comments/schema'
import { numberText } from '../../../format'
import { BOARD_QUOTA, TAG_MAX, TAGS_MAX, TASK_TITLE_MAX } from '../../../tasks/limits'
import { TASK_DESCRIPTION_MAX } from '../../../tasks/schema'
import { MINUTES_MAX } from '../../../time/limits'
import { NOTE_MAX, RATE_MAX, RATES_MAX } from '../../../time/schema'
import { EVENT_MAX } from '../../limits'
import type { Loss } from '../../schema'

const HOURS = numberText(MINUTES_MAX / 60)

export const ENTRIES_TOO_LONG = `time entries over ${HOURS} hours: left out` as const
export const ENTRIES_SPLIT = `time entries over ${HOURS} hours: split into several` as const
export const ENTRY_NOTES_CUT = `notes of time entries over ${numberText(NOTE_MAX)} characters: cut` as const
export const DESCRIPTIONS_BEYOND =
  `descriptions beyond the ${BOARD_QUOTA.descriptionBytes / 2 ** 20} MB that a board holds: left out` as const
export const DESCRIPTIONS_CUT = `descriptions over ${numberText(TASK_DESCRIPTION_MAX)} characters: cut` as const
export const BOARD_DESCRIPTION_CUT = `board description over ${numberText(BOARD_DESCRIPTION_MAX)} characters: cut` as const
export const COMMENTS_SPLIT = `comments over ${numberText(COMMENT_MAX)} characters: split into several comments` as const
export const FILES_TOO_LARGE = 'files larger than this server accepts: left out'
export const FILES_BEYOND =
  `files beyond the limit of ${TASK_FILES_MAX} per task or ${BOARD_FILES_MAX_BYTES / 2 ** 30} GB per board: left out` as const
export const PLANKA_FILES_MISSING = 'files that Planka did not send, or that are too large for this server'
export const EVENTS_TOO_LONG = `events over ${numberText(EVENT_MAX)} characters: left out` as const
export const RATES_TOO_HIGH = `hourly rates over ${numberText(RATE_MAX / 100)}: left out` as const

export const ENCODING_GUESSED = 'text in an encoding that the file does not name: read as the encoding shown'
export const BYTES_UNREADABLE = 'letters that are not valid UTF-8: now “�”'

/** What an import may lose or change, in the order of the preview: most missed first. */
const LOSS_KINDS = [
  'cards whose list is not in the file',
  'rows without a readable start and duration',
  'rows that are neither tasks nor comments: left out',
  'total rows: left out',
  ENTRIES_TOO_LONG,
  'time entries before 1970 or after 2999: left out',
  'times that differ from the duration: the duration counts',
  'values of time entries that could not be read: left out',
  DESCRIPTIONS_BEYOND,
  DESCRIPTIONS_CUT,
  'cards whose comments are not in the file, only on the Planka server',
  'older comments, as Trello exports only the newest 1,000 actions',
  'comments on cards that are not in the file',
  'comments on sections or projects: left out',
  'files that could not be fetched: left out',
  'files that are not in the export',
  PLANKA_FILES_MISSING,
  FILES_TOO_LARGE,
  'files that are too large',
  FILES_BEYOND,
  'files for which this server has no room: left out',
  'files of types that are not accepted: left out',
  'files that Trello shows only to people signed in there; the description links to them',
  'files that Planka shows only to people signed in there; the description links to them',
  'time entries without a day or a person, now lines in the description',
  'stopwatches without a day or a person, now lines in the description',
  RATES_TOO_HIGH,
  'extra hourly rates for the same person and day: left out',
  `hourly rates beyond ${RATES_MAX} per person: left out`,
  BOARD_DESCRIPTION_CUT,
  'people with the same email: now one person',
  'people without a name: called A user',
  'due dates before the year 1000: left out',
  'dates that could not be read, now lines in the description',
  ENCODING_GUESSED,
  BYTES_UNREADABLE,
  'dates that were read as month/day',
  'times of day, read as UTC since the file names no time zone',
  'times of due dates: only the day is kept',
  'times of due dates: only the day in UTC is kept',
  `tags beyond the ${TAGS_MAX} that a task can have: left out`,
  ENTRY_NOTES_CUT,
  `titles over ${TASK_TITLE_MAX} characters: cut, with the full title at the top of the description`,
  `tags over ${TAG_MAX} characters: cut`,
  'tags without a visible character: left out',
  'mirrored cards, without what they mirror',
  'rules',
  'reminders of due dates',
  'votes',
  'rounds of planning poker',
  'columns that are not read',
  EVENTS_TOO_LONG,
  'events of unknown kinds: left out',
  'events of the whole board or of deleted tasks, which belong to no list: left out',
  'times of comments, which the file does not have',
  'custom fields, now lines in the description',
  'values of other columns, now lines in the description',
  'other details of the lists inside cells: left out',
  'other cells in rows of comments and sections: left out',
  'second values for the same field, and cells beyond the last column: left out',
  'votes, now lines in the description',
  'templates, now ordinary cards',
  COMMENTS_SPLIT,
  ENTRIES_SPLIT,
  'time entries with seconds: rounded to whole minutes, at least one',
  'time entries without a duration',
  'tasks without a title: called Untitled',
  'file names that are not accepted: changed',
  'empty comments: left out',
  'duplicate cards',
  'lists without cards',
  'unused labels',
  'stickers',
  'Power-Up data',
] as const

export type LossKind = (typeof LOSS_KINDS)[number]

const EXAMPLES = 5
const EXAMPLE_MAX = 80

const WEIGHTS = new Map<string, number>(LOSS_KINDS.map((kind, nth) => [kind, nth]))
const weightOf = ({ what }: Loss): number => WEIGHTS.get(what) ?? 0

export const byWeight = (losses: Loss[]): Loss[] => losses.toSorted((a, b) => weightOf(a) - weightOf(b))

type Unused = {
  lists: { id: string; name: string }[]
  listIds: (string | null)[]
  labels: { id: string | null; name: string; color: string }[]
  labelIds: (string | null)[]
}

export function createLosses() {
  const losses: Loss[] = []
  const byKind = new Map<string, Loss>()

  function add(what: LossKind, example = '', count = 1) {
    const known = byKind.get(what)
    const loss = known ?? { what, count: 0, examples: [] }
    if (!known) losses.push(loss)
    byKind.set(what, loss)
    loss.count += count
    const short = example.slice(0, EXAMPLE_MAX).toWellFormed()
    if (short !== '' && loss.examples.length < EXAMPLES && !loss.examples.includes(short)) loss.examples.push(short)
  }

  return {
    losses,
    add,
    /** wrk keeps lists and labels only as tags of tasks. */
    addUnused({ lists, listIds, labels, labelIds }: Unused) {
      const [usedLists, usedLabels] = [new Set(listIds), new Set(labelIds)]
      for (const { id, name } of lists) if (!usedLists.has(id)) add('lists without cards', name)
      for (const { id, name, color } of labels) if (name !== '' && !usedLabels.has(id)) add('unused labels', `${name} (${color})`)
    },
  }
}

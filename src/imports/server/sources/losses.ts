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
import { storable } from './shapes'

const HOURS = numberText(MINUTES_MAX / 60)

/** What an import may lose or change, in the order of the preview: most missed first. */
export const LOSSES = {
  listMissing: 'cards whose list is not in the file',
  rowWithoutHours: 'rows without a readable start and duration',
  rowOfOtherKind: 'rows that are neither tasks nor comments: left out',
  totalRow: 'rows with totals: left out',
  entryTooLong: `time entries over ${HOURS} hours: left out`,
  entryTooOldOrNew: 'time entries before 1970 or after 2999: left out',
  timesDiffer: 'times that contradict the duration: the duration is used',
  entryValueUnread: 'unreadable values in time entries: left out',
  descriptionsFull: `descriptions beyond the ${BOARD_QUOTA.descriptionBytes / 2 ** 20} MB that a board holds: left out`,
  descriptionCut: `descriptions over ${numberText(TASK_DESCRIPTION_MAX)} characters: cut`,
  commentsOnPlanka: 'cards whose comments are not in the file, only on the Planka server',
  commentsOlder: 'older comments, as Trello exports only the newest 1,000 actions',
  commentOfNoCard: 'comments on cards that are not in the file',
  commentOfNoTask: 'comments on sections or projects: left out',
  fileNotFetched: 'files that could not be fetched: left out',
  fileMissing: 'files that are not in the export',
  plankaFileMissing: 'files that Planka did not send, or that are too large for this server',
  fileTooLarge: 'files larger than this server accepts: left out',
  fileOverlong: 'files that are too large',
  filesFull: `files beyond the limit of ${TASK_FILES_MAX} per task or ${BOARD_FILES_MAX_BYTES / 2 ** 30} GB per board: left out`,
  fileWithoutRoom: 'files this server has no space for: left out',
  fileNotAccepted: 'files of types that are not accepted: left out',
  fileBehindTrello: 'files that Trello shows only to people signed in there; the description links to them',
  fileBehindPlanka: 'files that Planka shows only to people signed in there; the description links to them',
  spentTime: 'time entries without a day or a person, now lines in the description',
  stopwatch: 'stopwatches without a day or a person, now lines in the description',
  rateTooHigh: `hourly rates over ${numberText(RATE_MAX / 100)}: left out`,
  rateTwice: 'extra hourly rates for the same person and day: left out',
  ratesFull: `hourly rates beyond ${RATES_MAX} per person: left out`,
  boardDescriptionCut: `board description over ${numberText(BOARD_DESCRIPTION_MAX)} characters: cut`,
  sameEmail: 'people with the same email: now one person',
  personUnnamed: 'people without a name: called “A user”',
  dueTooOld: 'due dates before the year 1000: left out',
  dateUnread: 'dates that could not be read, now lines in the description',
  encodingGuessed: 'text with no declared encoding: read in the encoding shown',
  lettersUnreadable: 'characters that are not valid UTF-8: now “�”',
  monthFirst: 'dates that were read as month/day',
  timeWithoutZone: 'times of day, read as UTC since the file names no time zone',
  dueTime: 'times of due dates: only the day is kept',
  dueTimeInUtc: 'times of due dates: only the day in UTC is kept',
  tagsFull: `tags beyond the ${TAGS_MAX} that a task can have: left out`,
  entryNoteCut: `notes of time entries over ${numberText(NOTE_MAX)} characters: cut`,
  titleCut: `titles over ${TASK_TITLE_MAX} characters: cut, with the full title at the top of the description`,
  tagCut: `tags over ${TAG_MAX} characters: cut`,
  tagUnseen: 'tags without a visible character: left out',
  mirrored: 'mirrored cards: the original’s content is left out',
  rules: 'rules',
  reminder: 'due date reminders',
  votes: 'votes',
  poker: 'planning poker rounds',
  columnUnread: 'columns that are not imported',
  eventTooLong: `activity entries over ${numberText(EVENT_MAX)} characters: left out`,
  eventUnknown: 'activity entries of unknown kinds: left out',
  eventOfNoList: 'activity entries about the board itself or about deleted tasks, which belong to no list: left out',
  commentTime: 'comment times, which are not in the file',
  customField: 'custom fields, now lines in the description',
  otherColumn: 'values of other columns, now lines in the description',
  cellDetail: 'other details in cells that hold a list: left out',
  cellBeside: 'other columns of comment and section rows: left out',
  secondValue: 'second values for the same field, and cells beyond the last column: left out',
  voteInText: 'votes, now lines in the description',
  template: 'templates, now ordinary cards',
  commentSplit: `comments over ${numberText(COMMENT_MAX)} characters: split into several comments`,
  entrySplit: `time entries over ${HOURS} hours: split into several`,
  entryRounded: 'time entries with seconds: rounded to whole minutes, at least one',
  entryEmpty: 'time entries without a duration',
  taskUntitled: 'tasks without a title: called “Untitled”',
  fileRenamed: 'file names that are not accepted: changed',
  commentEmpty: 'empty comments: left out',
  cardTwice: 'duplicate cards',
  listUnused: 'lists without cards',
  labelUnused: 'unused labels',
  stickers: 'stickers',
  powerUps: 'Power-Up data',
}

export type LossKind = keyof typeof LOSSES

const EXAMPLES = 5
const EXAMPLE_MAX = 80

const TEXTS: string[] = Object.values(LOSSES)
const weightOf = ({ what }: Loss): number => TEXTS.indexOf(what)

export const byWeight = (losses: Loss[]): Loss[] => losses.toSorted((a, b) => weightOf(a) - weightOf(b))

type Unused = {
  lists: { id: string; name: string }[]
  listIds: (string | null)[]
  labels: { id: string | null; name: string; color: string }[]
  labelIds: (string | null)[]
}

export function createLosses(before: Loss[] = []) {
  const losses = structuredClone(before)

  function add(kind: LossKind, example = '', count = 1) {
    const what = LOSSES[kind]
    const known = losses.find((loss) => loss.what === what)
    const loss = known ?? { what, count: 0, examples: [] }
    if (!known) losses.push(loss)
    loss.count += count
    const short = storable(example.slice(0, EXAMPLE_MAX))
    if (short !== '' && loss.examples.length < EXAMPLES && !loss.examples.includes(short)) loss.examples.push(short)
  }

  return {
    losses,
    add,
    /** wrk keeps lists and labels only as tags of tasks. */
    addUnused({ lists, listIds, labels, labelIds }: Unused) {
      const [usedLists, usedLabels] = [new Set(listIds), new Set(labelIds)]
      for (const { id, name } of lists) if (!usedLists.has(id)) add('listUnused', name)
      for (const { id, name, color } of labels) if (name !== '' && !usedLabels.has(id)) add('labelUnused', `${name} (${color})`)
    },
  }
}

import { listText, numberText } from '../format'

/** For archives; exports of other programs are held in memory. */
export const ARCHIVE_MAX_BYTES = 2 * 2 ** 30
export const TEXT_MAX_BYTES = 64 * 2 ** 20
export const IMPORT_DAYS = 2

export const SOURCES = {
  wrk: 'wrk',
  trello: 'Trello',
  planka: 'Planka',
  wekan: 'WeKan',
  toggl: 'Toggl Track',
  clockify: 'Clockify',
  harvest: 'Harvest',
  csv: 'CSV',
} as const
export type ImportSource = keyof typeof SOURCES

export const NOT_UNDERSTOOD =
  'This file cannot be imported. Choose a wrk board archive, a JSON export from Trello, Planka or WeKan, or a CSV.'

export const OPEN_IMPORTS_MAX = 5
/** Open offers to one person on a board. */
export const OFFERED_NAMES_MAX = 100
export const LISTS_MAX = 300
/** Per import. */
export const BOARDS_MAX = 20
export const COLUMNS_MAX = 500
/** By the names of `TextDecoder`; all but the first three are guessed. */
export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big endian',
  'windows-1252': 'Western (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  'windows-874': 'Thai (Windows-874)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  'koi8-u': 'Ukrainian (KOI8-U)',
  macintosh: 'Western (Macintosh)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  gb18030: 'Chinese (GB18030)',
  big5: 'Chinese (Big5)',
  'euc-kr': 'Korean (EUC-KR)',
} as const
export const PEOPLE_MAX = 1_000
/** In characters; more than any event has. */
export const EVENT_MAX = 20_000

/** A name's tasks and comments are counted up to this. */
export const COUNTED_MAX = 1_000

export const NAMED = 3

/** "Ann, Bob, Cleo and 4 more", of `count`. */
export function namesText(names: string[], count = names.length): string {
  const named = names.slice(0, NAMED)
  const more = count - named.length
  return listText(more > 0 ? [...named, `${numberText(more)} more`] : named)
}

import type { ImportSource } from '../schema'

/** Where each program keeps its export. */
export const WHERE: Record<ImportSource, string> = {
  trello: 'The board’s menu → Print, export and share → Export as JSON',
  planka: 'By its address and an API key, which an administrator makes under Administration → Users → API Key',
  wekan: 'Board Settings → Export → Export board to JSON',
  toggl: 'Reports → Detailed → Export → CSV',
  clockify: 'Reports → Detailed → Export → Save as CSV',
  harvest: 'Reports → Detailed Time → Export → CSV',
  csv: 'From any spreadsheet: the first line names the columns, such as Title, Status, Due date, Tags',
  wrk: 'The board’s menu → Export Board, as its creator; all of it comes back',
}

export const ORDER = ['trello', 'planka', 'wekan', 'toggl', 'clockify', 'harvest', 'csv', 'wrk'] as const

import type { BoardTable } from '../../../archive/boardRows'
import * as stored from '../../../db/schema'
import { bytesPerRow } from '../../../server/accountQuota/store'

const ROW_BYTES: Record<BoardTable, number> = {
  board: bytesPerRow(stored.boards),
  people: bytesPerRow(stored.users) + bytesPerRow(stored.boardMembers),
  tasks: bytesPerRow(stored.tasks),
  assignees: bytesPerRow(stored.taskAssignees),
  comments: bytesPerRow(stored.comments),
  attachments: bytesPerRow(stored.attachments),
  entries: bytesPerRow(stored.timeEntries),
  rates: bytesPerRow(stored.rates),
  activities: bytesPerRow(stored.activities),
}

/** What a row of an archive takes once it is stored, without its file. */
export const storedBytes = (table: BoardTable, row: object): number =>
  Object.values(row).reduce((sum: number, value) => sum + textBytes(value), ROW_BYTES[table])

function textBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return typeof value === 'object' && value !== null ? Buffer.byteLength(JSON.stringify(value)) : 0
}

import type { ActivityEvent } from '../../activity/schema'
import type { ActiveBoard } from '../schema'

const DID: Record<ActivityEvent['kind'], string> & { [later: string]: string | undefined } = {
  created: 'added a task',
  moved: 'moved a task',
  renamed: 'renamed a task',
  described: 'described a task',
  due: 'changed a due date',
  tagged: 'changed tags',
  assigned: 'assigned a task',
  unassigned: 'unassigned a task',
  commented: 'commented',
  file: 'changed files',
  'file added': 'added a file',
  'file removed': 'removed a file',
  time: 'logged time',
  'time changed': 'changed logged time',
  'time removed': 'removed logged time',
  deleted: 'deleted a task',
  restored: 'brought back a task',
  board_created: 'created the board',
  board_imported: 'imported the board',
  board_restored: 'brought back the board',
  board_renamed: 'renamed the board',
  board_described: 'described the board',
  member_added: 'added a member',
  member_joined: 'joined',
  member_removed: 'removed a member',
  member_left: 'left',
  name_accepted: 'took over imported work',
}

type Last = NonNullable<ActiveBoard['lastActivity']>

export const didText = ({ kind, did }: Pick<Last, 'kind' | 'did'>): string =>
  DID[`${kind} ${did}`] ?? DID[kind] ?? 'changed something'

const MINUTE = 60_000
const UNITS = [
  [24 * 60 * MINUTE, 'day'],
  [60 * MINUTE, 'h'],
  [MINUTE, 'min'],
] as const

/** Short, as on a card: "4 min ago". */
export function agoText(moment: string, now = Date.now()): string {
  const passed = now - Date.parse(moment)
  const [length, unit] = UNITS.find(([length]) => passed >= length) ?? []
  if (!length) return 'just now'
  const count = Math.floor(passed / length)
  return `${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''} ago`
}

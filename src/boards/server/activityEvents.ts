import type { ActivityEvent } from '../../activity/schema'
import type { Board } from '../schema'

type BoardText = Pick<Board, 'name' | 'description'>

export function boardChangeEvents(before: BoardText, after: BoardText): ActivityEvent[] {
  const events: ActivityEvent[] = []
  if (after.name !== before.name) events.push({ kind: 'board_renamed', detail: { from: before.name, to: after.name } })
  if (after.description !== before.description) events.push({ kind: 'board_described', detail: {} })
  return events
}

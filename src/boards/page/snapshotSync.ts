import type { AnnouncedChange, BoardChange, ServerMessage } from '../../protocol'
import type { Snapshot } from '../../tasks/schema'
import { answerLists, joinLists, tellLists } from '../../web/liveLists'
import { queryClient } from '../../web/trpc'
import { applyChange, boardsQuery, snapshotQuery } from './cache'

/**
 * Keeps open boards true. Messages are applied in the order of their versions; what does not follow on what is there
 * waits, and the board is read again. What is being read is laid under what was heard meanwhile.
 */
type Heard = { version: number; messages: AnnouncedChange[] }

/** For each board, the newest version heard of, and the messages that a read under way may not hold yet. */
const heard = new Map<number, Heard>()

const find = (boardId: number) =>
  queryClient.getQueryCache().find<Snapshot>({ queryKey: snapshotQuery(boardId).queryKey, exact: true })

/** A board with all that was heard of it and follows on it without a gap. */
export function fold(snapshot: Snapshot): Snapshot {
  const messages = heard.get(snapshot.board.id)?.messages ?? []
  return messages
    .toSorted((a, b) => a.payload.version - b.payload.version)
    .reduce(
      (board, message) => (message.payload.version === board.board.version + 1 ? applyMessage(board, message) : board),
      snapshot,
    )
}

function applyMessage(snapshot: Snapshot, message: AnnouncedChange): Snapshot {
  const changed = applyChange(snapshot, message)
  return { ...changed, board: { ...changed.board, version: message.payload.version } }
}

/** Takes a message of the live channel. */
export function receive(message: ServerMessage): void {
  if (message.type === 'joined_board') {
    joinLists(message.payload.boardId, message.payload.version)
    joined(message.payload.boardId, message.payload.version)
  } else if (isStored(message)) {
    tellLists(message)
    take(message)
  }
}

const PASSING = new Set([
  ...['joined_board', 'typing_started', 'typing_stopped', 'editing_status', 'current_user_updated', 'error'],
  ...['notification_added', 'notifications_read', 'rate_changed'],
])
const isStored = (message: ServerMessage): message is AnnouncedChange => !PASSING.has(message.type)

function take(message: AnnouncedChange) {
  const { boardId, version } = message.payload
  const aboutTask = 'task' in message.payload || 'taskId' in message.payload
  // The list of boards shows no people.
  if (!aboutTask && message.type !== 'user_profile_updated') void queryClient.invalidateQueries(boardsQuery())
  if (!find(boardId)) return
  const before = heard.get(boardId)
  heard.set(boardId, { version: Math.max(version, before?.version ?? 0), messages: [...(before?.messages ?? []), message] })
  settle(boardId)
}

/** A version that is not the one at hand, older ones too: a database may have been restored. */
function joined(boardId: number, version: number) {
  const query = find(boardId)
  const shown = query?.state.data?.board.version
  heard.set(boardId, { version, messages: heard.get(boardId)?.messages ?? [] })
  // Whoever may join what could not be read may read it now.
  if (query?.state.status === 'error' || (shown !== undefined && version < shown)) void read(boardId)
  else settle(boardId)
}

function settle(boardId: number) {
  const query = find(boardId)
  if (!query) return
  if (query.state.fetchStatus === 'fetching') {
    // What is being read may be older than what was heard: it is looked at again when it is there.
    void query.promise?.then(() => settle(boardId), ignore)
    return
  }
  const known = heard.get(boardId)
  const { data } = query.state
  if (!data || !known) return
  const folded = fold(data)
  if (folded !== data) queryClient.setQueryData(snapshotQuery(boardId).queryKey, folded)
  if (folded.board.version >= known.version) heard.delete(boardId)
  else if (query.isActive()) void read(boardId)
}

/** The page shows what cannot be read; the next join tries again. */
const ignore = () => {}

async function read(boardId: number) {
  const { queryKey } = snapshotQuery(boardId)
  const before = find(boardId)?.state.dataUpdatedAt
  await queryClient.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false })
  const state = find(boardId)?.state
  if (state?.status !== 'success' || state.dataUpdatedAt === before) return
  const known = heard.get(boardId)
  // The server's word counts: what lies beyond it will be told again.
  if (known && state.data && state.data.board.version < known.version && known.messages.length === 0) heard.delete(boardId)
  else settle(boardId)
}

/**
 * Applies what the server answered to a change, with the version that it made, before the socket tells of it. What
 * the socket told already is not applied again: something newer may have been told since.
 */
export function learn(boardId: number, version: number | undefined, changes: BoardChange[]): void {
  if (version !== undefined) answerLists(boardId, version, changes)
  queryClient.setQueryData(snapshotQuery(boardId).queryKey, (snapshot) => {
    if (!snapshot || version === undefined || version <= snapshot.board.version) return snapshot
    const changed = changes.reduce(applyChange, snapshot)
    const follows = version === snapshot.board.version + 1
    return follows ? { ...changed, board: { ...changed.board, version } } : changed
  })
}

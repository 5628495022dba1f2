import type { AnnouncedChange, ServerMessage } from '../../protocol'
import { queryClient } from '../queryClient'
import { applyAnswerToLists, applyToLists, catchUpLists } from './liveLists'
import { handle, isAnnounced } from './messageHandlers'
import { type AnyReducers, applyChange, type Change } from './reducers'

/** A board as the page holds it; each change makes the next version. */
export type LiveBoard = { board: { id: number; version: number } }

export const snapshotKey = (boardId: number) => ['snapshot', boardId] as const

let apply = (snapshot: LiveBoard, _change: Change): LiveBoard => snapshot

/** Registers what the domains' messages do to a snapshot; one message may concern several domains. */
export function setSnapshotReducers<Board extends LiveBoard>(all: AnyReducers<Board>[]): void {
  // There is one type of snapshot, which the reducers are for.
  apply = (snapshot, change) => all.reduce((board, reducers) => applyChange(reducers, board, change), snapshot as Board)
}

export const applyToSnapshot = <Board extends LiveBoard>(snapshot: Board, change: Change): Board =>
  apply(snapshot, change) as Board

/**
 * Messages are applied in the order of their versions. After a gap they wait and the board is read again, and what came
 * during the read is applied to its result.
 */
type Waiting = { version: number; messages: AnnouncedChange[] }

/** For each board, the newest version announced, and the messages that a read under way may not contain yet. */
const waiting = new Map<number, Waiting>()

const find = (boardId: number) => queryClient.getQueryCache().find<LiveBoard>({ queryKey: snapshotKey(boardId), exact: true })

/** A board with all waiting messages that follow on it without a gap. */
export function withWaiting<Board extends LiveBoard>(snapshot: Board): Board {
  const messages = waiting.get(snapshot.board.id)?.messages ?? []
  return messages
    .toSorted((a, b) => a.payload.version - b.payload.version)
    .reduce(
      (board, message) => (message.payload.version === board.board.version + 1 ? applyMessage(board, message) : board),
      snapshot,
    )
}

const applyMessage = <Board extends LiveBoard>(snapshot: Board, message: AnnouncedChange): Board =>
  atVersion(applyToSnapshot(snapshot, message), message.payload.version)

const atVersion = <Board extends LiveBoard>(snapshot: Board, version: number): Board => ({
  ...snapshot,
  board: { ...snapshot.board, version },
})

export function receive(message: ServerMessage): void {
  if (isAnnounced(message)) applyAnnounced(message)
  else catchUp(message)
}

function applyAnnounced(message: AnnouncedChange) {
  applyToLists(message)
  const { boardId, version } = message.payload
  if (!find(boardId)) return
  const before = waiting.get(boardId)
  waiting.set(boardId, { version: Math.max(version, before?.version ?? 0), messages: [...(before?.messages ?? []), message] })
  settle(boardId)
}

const catchUp = handle({
  joined_board({ boardId, version }) {
    catchUpLists(boardId, version)
    const query = find(boardId)
    const shown = query?.state.data?.board.version
    waiting.set(boardId, { version, messages: waiting.get(boardId)?.messages ?? [] })
    // An older version counts too: a database may have been restored. Whoever may join may also read by now.
    if (query?.state.status === 'error' || (shown !== undefined && version < shown)) void read(boardId)
    else settle(boardId)
  },
})

function settle(boardId: number) {
  const query = find(boardId)
  if (!query) return
  if (query.state.fetchStatus === 'fetching') {
    // The read may be older than the messages, so this is decided when it is over.
    void query.promise?.then(() => settle(boardId), ignore)
    return
  }
  const known = waiting.get(boardId)
  const { data } = query.state
  if (!data || !known) return
  const updated = withWaiting(data)
  if (updated !== data) queryClient.setQueryData(snapshotKey(boardId), updated)
  if (updated.board.version >= known.version) waiting.delete(boardId)
  else if (query.isActive()) void read(boardId)
}

const ignore = () => {}

async function read(boardId: number) {
  const before = find(boardId)?.state.dataUpdatedAt
  await queryClient.refetchQueries({ queryKey: snapshotKey(boardId), exact: true }, { cancelRefetch: false })
  const state = find(boardId)?.state
  if (state?.status !== 'success' || state.dataUpdatedAt === before) return
  const known = waiting.get(boardId)
  // What the server read counts, even when it is older than what was announced.
  if (known && state.data && state.data.board.version < known.version && known.messages.length === 0) waiting.delete(boardId)
  else settle(boardId)
}

/**
 * Applies the answer to a mutation, with the version that it made, before the socket announces it. What was announced
 * already is not applied again: something newer may have been announced since.
 */
export function applyAnswer(boardId: number, version: number | undefined, changes: Change[]): void {
  if (version !== undefined) applyAnswerToLists(boardId, version, changes)
  queryClient.setQueryData<LiveBoard>(snapshotKey(boardId), (snapshot) => {
    if (!snapshot || version === undefined || version <= snapshot.board.version) return snapshot
    const changed = changes.reduce(applyToSnapshot, snapshot)
    return version === snapshot.board.version + 1 ? atVersion(changed, version) : changed
  })
}

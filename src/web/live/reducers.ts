import type { AnnouncedChange, BoardChange, Message, ServerMessage } from '../../protocol'

/** A change to a board: announced, answered or predicted. */
export type Change = BoardChange

/** How each of a domain's messages changes the page's data. Pure and idempotent. */
export type Reducers<Data, M extends Message> = {
  [Type in M['type']]?: (data: Data, payload: Extract<M, { type: Type }>['payload']) => Data
}

export type AnyReducers<Data> = { [type: string]: ((data: Data, payload: never) => Data) | undefined }

export const applyChange = <Data>(reducers: AnyReducers<Data>, data: Data, { type, payload }: Change): Data =>
  // A type has the same payload in every domain.
  reducers[type]?.(data, payload as never) ?? data

export type LiveBoard = { board: { id: number; version: number } }

let apply = (snapshot: LiveBoard, _change: Change): LiveBoard => snapshot

/** Registers the domains' reducers for snapshots; one message may concern several domains. */
export function setSnapshotReducers<Board extends LiveBoard>(all: AnyReducers<Board>[]): void {
  // All these reducers are for the one type of snapshot.
  apply = (snapshot, change) => all.reduce((board, reducers) => applyChange(reducers, board, change), snapshot as Board)
}

export const applyToSnapshot = <Board extends LiveBoard>(snapshot: Board, change: Change): Board =>
  apply(snapshot, change) as Board

export const isAnnounced = (message: ServerMessage): message is AnnouncedChange => 'by' in message.payload

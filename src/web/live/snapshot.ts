import { type AnyReducers, applyChange, type Change } from './reducers'

export type LiveBoard = { board: { id: number; version: number } }

let apply = (snapshot: LiveBoard, _change: Change): LiveBoard => snapshot

/** Registers what the domains' messages do to a snapshot; one message may concern several domains. */
export function setSnapshotReducers<Board extends LiveBoard>(all: AnyReducers<Board>[]): void {
  // There is one type of snapshot, which the reducers are for.
  apply = (snapshot, change) => all.reduce((board, reducers) => applyChange(reducers, board, change), snapshot as Board)
}

export const applyToSnapshot = <Board extends LiveBoard>(snapshot: Board, change: Change): Board =>
  apply(snapshot, change) as Board

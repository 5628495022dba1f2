import type { BoardChange, Message } from '../../protocol'

/** A change of a board, announced, answered or predicted. */
export type Change = BoardChange

/** What each of a domain's messages does to some data of the page. Pure; applied twice, it changes nothing more. */
export type Reducers<Data, M extends Message> = {
  [Type in M['type']]?: (data: Data, payload: Extract<M, { type: Type }>['payload']) => Data
}

export type AnyReducers<Data> = { [type: string]: ((data: Data, payload: never) => Data) | undefined }

export const applyChange = <Data>(reducers: AnyReducers<Data>, data: Data, { type, payload }: Change): Data =>
  // A type has one payload, whichever domain reduces it.
  reducers[type]?.(data, payload as never) ?? data

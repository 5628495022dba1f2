import { useMutation, useMutationState } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryClient } from '../queryClient'
import { type Stamp, stamp } from '../trpc'
import type { Change } from './reducers'
import { applyAnswer, applyToSnapshot, type LiveBoard, snapshotKey } from './snapshot'

/**
 * Optimistic changes of a board. What is in flight is laid over what the server said, with the same reducers that apply
 * live messages. Nothing is written before the server answers, so a refused change needs no rollback.
 */
type Variables<Input> = { input: Input; predicted: Change[] }

type BoardMutation<Input, Answer, Board extends LiveBoard> = {
  /** Passes `stamp` to the call, which notes there the version that it made. */
  send(input: Input, stamp: Stamp): Promise<Answer>
  /** What the server will make of it; `board` is undefined where the page does not hold it. */
  predict?(input: Input, board: Board | undefined): Change[]
  /** The server's answer as changes, which show before the socket announces them. */
  fromAnswer?(answer: Answer, input: Input, board: Board | undefined): Change[]
  meta?: NonNullable<Parameters<typeof useMutation>[0]['meta']>
}

const inFlightOn = (...board: [boardId?: number]) => ({ mutationKey: ['board', ...board], status: 'pending' as const })
const predictedBy = (mutation: { state: { variables?: unknown } }) =>
  (mutation.state.variables as Variables<unknown> | undefined)?.predicted ?? []

/** Changes of one board are sent one after the other, in the order in which they were made. */
export function useBoardMutation<Input, Answer, Board extends LiveBoard = LiveBoard>(
  boardId: number,
  { send, predict, fromAnswer, meta }: BoardMutation<Input, Answer, Board>,
) {
  const { mutateAsync, isPending } = useMutation({
    mutationKey: ['board', boardId],
    scope: { id: `board-${boardId}` },
    mutationFn: async ({ input }: Variables<Input>) => {
      const made = stamp()
      const answer = await send(input, made)
      const board = queryClient.getQueryData<Board>(snapshotKey(boardId))
      applyAnswer(boardId, made.context.version, fromAnswer?.(answer, input, board) ?? [])
      return answer
    },
    meta,
  })
  const run = (input: Input): Promise<Answer | undefined> =>
    mutateAsync({ input, predicted: predict?.(input, predictedBoard<Board>(boardId)) ?? [] }).catch(() => undefined)
  return { run, isPending }
}

function predictedBoard<Board extends LiveBoard>(boardId: number): Board | undefined {
  const board = queryClient.getQueryData<Board>(snapshotKey(boardId))
  const inFlight = queryClient.getMutationCache().findAll(inFlightOn(boardId)).flatMap(predictedBy)
  return board && inFlight.reduce(applyToSnapshot, board)
}

/** Data of a board with what is in flight applied; `apply` is the same function at each render. */
export function usePredicted<T>(boardId: number, data: T | undefined, apply: (data: T, change: Change) => T) {
  const inFlight = useMutationState({ filters: inFlightOn(boardId), select: predictedBy })
  return useMemo(() => data && inFlight.flat().reduce(apply, data), [data, inFlight, apply])
}

export const usePredictedAnywhere = (): Change[] => useMutationState({ filters: inFlightOn(), select: predictedBy }).flat()

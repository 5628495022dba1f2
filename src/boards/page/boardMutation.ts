import { useMutation, useMutationState } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { BoardChange } from '../../protocol'
import type { Snapshot } from '../../tasks/schema'
import { queryClient, type Stamp, stamp } from '../../web/trpc'
import { applyChange, snapshotQuery, useSnapshot } from './cache'
import { learn } from './snapshotSync'

/**
 * Optimism, once. A mutation of a board states the change that it foresees. What is in flight is laid over what
 * the server said, with the reducer that the socket uses; nothing is written before the server answers, so a
 * refused change needs no undoing: it is no longer in flight.
 */
type Variables<Input> = { input: Input; foreseen: BoardChange[] }

type BoardMutation<Input, Answer> = {
  /** Hands `stamp` to the call, which notes there the version that it made. */
  send(input: Input, stamp: Stamp): Promise<Answer>
  foresee?(input: Input, board: Snapshot): BoardChange[]
  /** The same where the board is not at hand, for what is shown beside other boards too. */
  foreseeAway?(input: Input): BoardChange[]
  /** The server's answer as a change of the board as it is now, so that it is there before the socket says it. */
  learned?(answer: Answer, input: Input, board: Snapshot): BoardChange[]
  meta?: NonNullable<Parameters<typeof useMutation>[0]['meta']>
}

const inFlightOn = (...board: [boardId?: number]) => ({ mutationKey: ['board', ...board], status: 'pending' as const })
const foreseenBy = (mutation: { state: { variables?: unknown } }) =>
  (mutation.state.variables as Variables<unknown> | undefined)?.foreseen ?? []

/** Changes of one board are sent one after the other, in the order in which they were made. */
export function useBoardMutation<Input, Answer>(boardId: number, options: BoardMutation<Input, Answer>) {
  const { mutateAsync, isPending } = useMutation({
    mutationKey: ['board', boardId],
    scope: { id: `board-${boardId}` },
    mutationFn: async ({ input }: Variables<Input>) => {
      const made = stamp()
      const answer = await options.send(input, made)
      const board = queryClient.getQueryData(snapshotQuery(boardId).queryKey)
      learn(boardId, made.context.version, board ? (options.learned?.(answer, input, board) ?? []) : [])
      return answer
    },
    meta: options.meta,
  })
  /** Resolves to the answer, or to undefined where it was refused: the refusal has been shown by then. */
  const run = (input: Input): Promise<Answer | undefined> => {
    const board = viewOf(boardId)
    const foreseen = (board ? options.foresee?.(input, board) : options.foreseeAway?.(input)) ?? []
    return mutateAsync({ input, foreseen }).catch(() => undefined)
  }
  return { run, isPending }
}

/** The board as it is at this moment, with what is in flight. */
function viewOf(boardId: number): Snapshot | undefined {
  const snapshot = queryClient.getQueryData(snapshotQuery(boardId).queryKey)
  const inFlight = queryClient.getMutationCache().findAll(inFlightOn(boardId)).flatMap(foreseenBy)
  return snapshot && inFlight.reduce(applyChange, snapshot)
}

/** The board as it will be when all that is in flight has arrived. */
export function useBoardView(boardId: number): Snapshot | undefined {
  const { data } = useSnapshot(boardId)
  return useWithForeseen(boardId, data, applyChange)
}

/** Anything that changes of the board change, as it will be when all that is in flight has arrived. */
export function useWithForeseen<T>(boardId: number, data: T | undefined, apply: (data: T, change: BoardChange) => T) {
  const inFlight = useMutationState({ filters: inFlightOn(boardId), select: foreseenBy })
  return useMemo(() => data && inFlight.flat().reduce(apply, data), [data, inFlight, apply])
}

/** What is in flight on any board. */
export const useForeseenAnywhere = (): BoardChange[] => useMutationState({ filters: inFlightOn(), select: foreseenBy }).flat()

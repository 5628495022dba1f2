import { useMutation, useMutationState } from '@tanstack/react-query'
import { useMemo } from 'react'
import { applyChange, learn, useSnapshot } from '../boards/cache'
import type { Snapshot } from '../boards/inputs'
import type { BoardChange } from '../live/messages'
import { queryClient } from './trpc'

/**
 * Optimism, once. A mutation of a board states the change that it foresees. What is in flight is laid over what
 * the server said, with the reducer that the socket uses; nothing is written before the server answers, so a
 * refused change needs no undoing: it is no longer in flight.
 */
type Variables<Input> = { input: Input; foreseen: BoardChange[] }

type BoardMutation<Input, Answer> = {
  /** What it does, for those who ask whether it is under way. */
  name: string
  send(input: Input): Promise<Answer>
  foresee?(input: Input, board: Snapshot): BoardChange[]
  /** The server's answer as a change, so that it is there before the socket says it. */
  learned?(answer: Answer, input: Input): BoardChange[]
  meta?: NonNullable<Parameters<typeof useMutation>[0]['meta']>
}

const keyOf = (boardId: number) => ['board', boardId] as const

/** Changes of one board are sent one after the other, in the order in which they were made. */
export function useBoardMutation<Input, Answer>(boardId: number, options: BoardMutation<Input, Answer>) {
  const board = useBoardView(boardId)
  const { mutateAsync, isPending } = useMutation({
    mutationKey: [...keyOf(boardId), options.name],
    scope: { id: `board-${boardId}` },
    mutationFn: ({ input }: Variables<Input>) => options.send(input),
    onSuccess: (answer, { input }) => learn(boardId, options.learned?.(answer, input) ?? []),
    meta: options.meta,
  })
  /** Resolves to the answer, or to undefined where it was refused: the refusal has been shown by then. */
  const run = (input: Input): Promise<Answer | undefined> => {
    const foreseen = board ? (options.foresee?.(input, board) ?? []) : []
    return mutateAsync({ input, foreseen }).catch(() => undefined)
  }
  return { run, isPending }
}

/** The board as it will be when all that is in flight has arrived. */
export function useBoardView(boardId: number): Snapshot | undefined {
  const { data } = useSnapshot(boardId)
  const inFlight = useMutationState({
    filters: { mutationKey: keyOf(boardId), status: 'pending' },
    select: (mutation) => (mutation.state.variables as Variables<unknown> | undefined)?.foreseen ?? [],
  })
  return useMemo(() => data && inFlight.flat().reduce(applyChange, data), [data, inFlight])
}

/** Whether this page is itself doing what a message tells of. */
export const isUnderWay = (boardId: number, name: string): boolean =>
  queryClient.isMutating({ mutationKey: [...keyOf(boardId), name], exact: true }) > 0

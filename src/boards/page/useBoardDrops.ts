import { useEffect, useEffectEvent, useState } from 'react'
import { withDragAndDrop } from '../../web/withDragAndDrop'

export type Side = 'before' | 'after'
type Over = { id: number; side: Side }

export const boardData = (boardId: number) => ({ kind: 'board', boardId })
export const isBoard = ({ source }: { source: { data: Record<string, unknown> } }) => source.data.kind === 'board'

type Target = { data: Record<string | symbol, unknown> } | undefined

function overOf(target: Target): Over | undefined {
  const { boardId, side } = target?.data ?? {}
  return typeof boardId === 'number' && (side === 'before' || side === 'after') ? { id: boardId, side } : undefined
}

/** The board over which one is dragged, and on which side of it that would land. */
export function useBoardDrops(put: (id: number, beside: { id: number; after: boolean }) => void): Over | undefined {
  const [over, setOver] = useState<Over>()
  const onDrop = useEffectEvent((id: number, to: Over | undefined) => {
    if (to && to.id !== id) put(id, { id: to.id, after: to.side === 'after' })
  })
  useEffect(
    () =>
      withDragAndDrop(({ monitorForElements }) =>
        monitorForElements({
          canMonitor: isBoard,
          onDrag: ({ location }) => {
            const now = overOf(location.current.dropTargets[0])
            setOver((before) => (before?.id === now?.id && before?.side === now?.side ? before : now))
          },
          onDrop: ({ source, location }) => {
            setOver(undefined)
            onDrop(Number(source.data.boardId), overOf(location.current.dropTargets[0]))
          },
        }),
      ),
    [],
  )
  return over
}

import { useEffect, useEffectEvent, useRef } from 'react'
import type { Task } from '../schema'
import type { FocusRequest } from './useKeyboardMove'

/** Focuses a card that was walked to, moved or created, but takes the focus from no field. */
export function useFocusRequest(
  request: FocusRequest | null,
  tasks: Task[],
  onFocused: () => void,
  reveal: (index: number) => HTMLElement | null,
) {
  const index = request ? tasks.findIndex(({ id }) => id === request.taskId) : -1
  const scroller = useRef<HTMLElement>(null)
  const scroll = useEffectEvent(() => {
    scroller.current = reveal(index)
  })
  const focus = useEffectEvent(() => {
    const card = scroller.current?.querySelector<HTMLElement>(`[data-task="${request?.taskId}"]`)
    if (!card) return
    if (!document.activeElement?.matches('input, textarea, select')) card.focus({ preventScroll: true })
    card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    onFocused()
  })
  useEffect(() => {
    if (request && index >= 0) scroll()
  }, [request, index])
  // After each render, for a card far away is rendered only after scrolling.
  useEffect(() => {
    if (!request || index < 0) return
    const frame = requestAnimationFrame(() => focus())
    return () => cancelAnimationFrame(frame)
  })
}

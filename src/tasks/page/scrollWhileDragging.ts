import { whenIdle } from '../../web/whenIdle'
import { isCard } from './useCardDrops'

/** Scrolls an element while a card is dragged to its edge. */
export function scrollWhileDragging(element: HTMLElement): () => void {
  let stop = () => {}
  let isOver = false
  const begin = async () => {
    const { autoScrollForElements } = await import('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element')
    if (!isOver) stop = autoScrollForElements({ element, canScroll: isCard })
  }
  whenIdle(() => void begin().catch(() => {}))
  return () => {
    isOver = true
    stop()
  }
}

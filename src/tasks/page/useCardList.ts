import {
  defaultRangeExtractor,
  elementScroll,
  measureElement,
  type Range,
  useVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { type RefObject, useCallback, useDeferredValue, useState } from 'react'
import { lazy } from '../../lazy'
import { stableKey } from '../../web/live/temporaryIds'
import type { Task } from '../schema'
import { footParts } from './CardContents'
import { TITLE_SHOWN } from './display'

type List = Virtualizer<HTMLElement, HTMLLIElement>

const GAP = 8
const OVERSCAN = 4

/** The cards in sight, and those `kept`. Nothing here asks for a layout while React places cards: observers have the sizes. */
export function useCardList(scroller: RefObject<HTMLElement | null>, tasks: Task[], kept: number[]) {
  // Cards beyond the edges are rendered after those in sight.
  const overscan = useDeferredValue(OVERSCAN, 0)
  const width = textWidth()
  const titleWidth = width - buttons()
  const keyOf = (index: number) => stableKey('task', tasks[index]?.id ?? index)
  // The list keeps only differences from the estimate, which may change while the card does not.
  const [sizes] = useState(() => new Map<number, number>())
  const estimate = (index: number) => sizes.get(keyOf(index)) ?? heightOf(tasks[index], width, titleWidth)
  function measure(item: HTMLLIElement, entry: ResizeObserverEntry | undefined, list: List): number {
    const index = list.indexFromElement(item)
    if (!entry) return estimate(index)
    const size = measureElement(item, entry, list)
    sizes.set(keyOf(index), size)
    return size
  }
  return useVirtualizer<HTMLElement, HTMLLIElement>({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    // A new function makes the list lay everything out again, for new tasks or a new width.
    getItemKey: useCallback(keyOf, [tasks, width]),
    estimateSize: estimate,
    measureElement: measure,
    // An estimate, so that the first render has the first cards.
    initialRect: { width: 0, height: window.innerHeight },
    observeElementRect: observeRect,
    scrollToFn: scrollList,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    // Once per frame is enough, and leaves time for other work.
    useFlushSync: false,
    gap: GAP,
    scrollPaddingEnd: AROUND_CARDS,
    overscan,
    // A card that has or will get the focus stays rendered wherever the list scrolls.
    rangeExtractor: (range) => withKept(range, kept),
    paddingEnd: tasks.length > 0 ? GAP : 0,
  })
}

/** The parts of a column above and below its cards. */
const AROUND_CARDS = 100

/** The whole column's height: the list is only as high as its cards, and new ones should be there at once. */
function observeRect({ scrollElement }: List, report: (rect: { width: number; height: number }) => void) {
  const column = scrollElement?.parentElement
  if (!column) return
  // From the entry: asking the element would lay out the cards that were just placed.
  const observer = new ResizeObserver((entries) => {
    const box = entries.at(-1)?.borderBoxSize[0]
    if (box) report({ width: Math.round(box.inlineSize), height: Math.round(box.blockSize) })
  })
  observer.observe(column)
  return () => observer.disconnect()
}

const scrollList: typeof elementScroll<HTMLElement> = (offset, options, list) => {
  if (offset > 0 || list.scrollOffset) elementScroll(offset, options, list)
}

/** From an even index to an odd one: cards come and go in pairs, because each change makes the browser lay out the column. */
function withKept({ startIndex, endIndex, ...range }: Range, kept: number[]): number[] {
  const shown = defaultRangeExtractor({ ...range, startIndex: startIndex & ~1, endIndex: endIndex | 1 })
  return [...new Set([...shown, ...kept.filter((index) => index >= 0)])].sort((a, b) => a - b)
}

/** An estimate in pixels; if it is right, nothing moves once the card is measured. */
function heightOf(task: Task | undefined, width: number, titleWidth: number): number {
  const { title = '', description, tags = [] } = task ?? {}
  return (
    46 +
    (Math.min(title.length, TITLE_SHOWN) * TITLE_LETTER > titleWidth ? 20 : 0) +
    (description ? (description.length * LETTER > width ? 38 : 20) : 0) +
    (tags.length > 0 ? 26 : 0) +
    (task ? footOf(task, width) : 0)
  )
}

const TITLE_LETTER = 7
const LETTER = 6

/** The last line of a card wraps if it is too wide. */
function footOf(task: Task, width: number): number {
  const { assignees } = task
  const widths = [...(assignees.length > 0 ? [assignees.length * 26] : []), ...footParts(task).map((part) => part.width)]
  if (widths.length === 0) return 0
  const gap = window.innerWidth >= 736 && window.innerWidth < 1280 ? 6 : 12
  const isWide = widths.reduce((sum, wide) => sum + wide + gap, -gap) > width
  return (assignees.length > 0 ? 34 : 28) + (isWide ? 24 : 0)
}

const SIDEBAR = 256
const AROUND_TEXT = 40
/** Room beside a title: for one button on touch screens, for two if both touch and mouse are likely. */
const buttons = lazy(() => {
  if (matchMedia('(pointer: coarse)').matches) return 36
  return matchMedia('(any-pointer: coarse)').matches ? 52 : 0
})

/** By the widths in `Columns` and `Column`: three side by side, or one and the edge of the next. */
function textWidth(): number {
  const width = window.innerWidth
  const columns = width - (width < 768 ? 32 : 48) - (width < 1024 ? 0 : SIDEBAR)
  return (width < 736 ? columns * 0.88 : (columns - (width < 768 ? 16 : 24)) / 3) - AROUND_TEXT
}

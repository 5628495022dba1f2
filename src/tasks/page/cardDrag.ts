import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { isTemporary, storedId } from '../../web/live/temporaryIds'
import { filesIn, hasFiles } from '../../web/useFileDrops'
import { withDragAndDrop } from '../../web/withDragAndDrop'
import { STATUSES, type Status } from '../limits'
import type { Task } from '../schema'
import { movedTo, type Place } from './reducers'

type Drops = {
  tasks: Task[]
  /** What the columns show, slightly behind `tasks`. */
  listed: Task[]
  move(input: { taskId: number; place: Place }): void
}

/** Turns a drop into a move, unless the card is dropped in its old place. */
export function useCardDrops({ tasks, listed, move }: Drops): void {
  const isDropped = useRef(false)
  const areListed = listed === tasks
  // Until then the card stays in its old place, with the line. A refused move leaves the columns as they are.
  useLayoutEffect(() => {
    if (!areListed || !isDropped.current) return
    isDropped.current = false
    endDrag()
  }, [areListed])
  const onDrop = useEffectEvent((taskId: number, place: Place | undefined) => {
    const task = tasks.find(({ id }) => id === taskId)
    if (!task || !place || !changesOrder(tasks, task, place)) return endDrag()
    isDropped.current = true
    move({ taskId, place })
  })
  useEffect(
    () =>
      withDragAndDrop(({ monitorForElements }) =>
        monitorForElements({
          canMonitor: isCard,
          onDragStart({ source }) {
            // The previous card may not be listed yet: its end would be mistaken for the end of this drag.
            isDropped.current = false
            endDrag()
            fadeDraggedCard(source.element)
          },
          onDropTargetChange: hideDropLines,
          onDrag({ location }) {
            const [target] = location.current.dropTargets
            if (target) showDropLine(target.element, Number(target.data.line))
          },
          onDrop: ({ source, location }) =>
            onDrop(Number(source.data.taskId), placeOfTarget(location.current.dropTargets[0]?.data)),
        }),
      ),
    [],
  )
}

function placeOfTarget(target: Record<string | symbol, unknown> | undefined): Place | undefined {
  const status = STATUSES.find((known) => known === target?.status)
  return target && status && { status, before: asId(target.before), after: asId(target.after) }
}

const asId = (given: unknown) => (typeof given === 'number' ? given : undefined)

type Span = { index: number; start: number; end: number }

/** If a filter hides tasks in between, the gap is beside the card under the pointer. */
export function dropGapAt(tasks: Task[], spans: Span[], y: number, dragged: unknown) {
  const spanAt = (index: number) => spans.find((span) => span.index === index)
  const below = spans.find(({ start, end }) => y < (start + end) / 2)?.index ?? tasks.length
  const nextAt = tasks[below]?.id === dragged ? below + 1 : below
  const lastAt = tasks.findLastIndex(({ id }, nth) => nth < below && id !== dragged)
  const [next, last] = [tasks[nextAt], tasks[lastAt]]
  const line = next ? (spanAt(nextAt)?.start ?? 0) - HALF_GAP : (spanAt(lastAt)?.end ?? 0) + HALF_GAP - 2
  if (next && (!last || y >= (spanAt(nextAt)?.start ?? 0))) return { place: { before: next.id }, line }
  return last ? { place: { after: last.id }, line } : { place: {}, line: 0 }
}

const HALF_GAP = 5

export function changesOrder(tasks: Task[], task: Task, place: Place): boolean {
  if (place.status !== task.status) return true
  const { position } = movedTo(tasks, task, place)
  const passed = (other: Task) =>
    other.status === task.status && other.id !== task.id && other.position < position !== other.position < task.position
  return tasks.some(passed)
}

export function useDraggableCard(card: RefObject<HTMLDivElement | null>, taskId: number, locked: boolean): void {
  useEffect(() => {
    const element = card.current
    if (!element || locked) return
    return withDragAndDrop(({ draggable }) =>
      draggable({
        element,
        getInitialData: () => cardData(taskId),
        onGenerateDragPreview: ({ nativeSetDragImage, location }) =>
          takeDragImage(element, location.current.input, nativeSetDragImage),
      }),
    )
  }, [card, taskId, locked])
}

type Gap = ReturnType<typeof dropGapAt>

/** Reports where a dragged card would land in the column. */
export function useDropTarget(list: RefObject<HTMLElement | null>, status: Status, gapOf: (y: number, dragged: unknown) => Gap) {
  const gap = useEffectEvent(gapOf)
  useEffect(() => {
    const scroller = list.current?.parentElement
    const section = scroller?.closest('section')
    if (!scroller || !section) return
    return withDragAndDrop(({ combine, dropTargetForElements, autoScrollForElements }) =>
      combine(
        dropTargetForElements({
          element: section,
          canDrop: isCard,
          getData: ({ input, source }) => {
            const top = list.current?.getBoundingClientRect().top ?? 0
            const { place, line } = gap(input.clientY - top, source.data.taskId)
            return { status, line, ...place }
          },
        }),
        autoScrollForElements({ element: scroller, canScroll: isCard }),
      ),
    )
  }, [list, status])
}

const cardData = (taskId: number) => ({ kind: 'card', taskId })
const isCard = ({ source }: { source: { data: Record<string, unknown> } }) => source.data.kind === 'card'

type SetImage = ((image: Element, x: number, y: number) => void) | null

/** Attributes alone show a drag, so that React renders nothing for it. */
function takeDragImage(card: HTMLElement, at: { clientX: number; clientY: number }, setImage: SetImage): void {
  const { left, top } = card.getBoundingClientRect()
  const item = itemOf(card)
  item.dataset.drag = 'image'
  setImage?.(item, at.clientX - left, at.clientY - top)
}

const itemOf = (card: HTMLElement) => card.parentElement ?? card

function fadeDraggedCard(card: HTMLElement): void {
  itemOf(card).dataset.drag = 'on'
}

const dropLineOf = (column: Element) => column.querySelector<HTMLElement>('[data-drop-line]')

function showDropLine(column: Element, top: number): void {
  const line = dropLineOf(column)
  if (!line) return
  line.style.translate = `0 ${top}px`
  line.hidden = false
  column.setAttribute('data-over', '')
}

function hideDropLines(): void {
  for (const column of document.querySelectorAll('[data-over]')) {
    column.removeAttribute('data-over')
    dropLineOf(column)?.setAttribute('hidden', '')
  }
}

function endDrag(): void {
  hideDropLines()
  for (const item of document.querySelectorAll('[data-drag]')) item.removeAttribute('data-drag')
}

export const cardAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-task]') : null

/** Attaches files dropped on a card, which shows an outline meanwhile. */
export function useFilesOnCards(columns: RefObject<HTMLElement | null>, boardId: number, locked: boolean): void {
  const take = useEffectEvent((event: DragEvent, marked: HTMLElement | null): HTMLElement | null => {
    if (!hasFiles(event)) return marked
    const card = locked ? null : cardAt(event.target)
    const taskId = storedId(Number(card?.dataset.task))
    // The server does not know a task created offline yet.
    const isTaken = card !== null && !isTemporary(taskId)
    if (event.dataTransfer) event.dataTransfer.dropEffect = isTaken ? 'copy' : 'none'
    event.preventDefault()
    if (event.type !== 'drop') return isTaken && event.type !== 'dragleave' ? card : null
    const files = filesIn(event)
    if (isTaken) void import('../../attachments/page/useUploads').then(({ addFiles }) => addFiles(boardId, taskId, files))
    return null
  })
  useEffect(() => {
    const section = columns.current
    let marked: HTMLElement | null = null
    const onDrag = (event: DragEvent) => {
      const next = take(event, marked)
      if (next === marked) return
      marked?.removeAttribute('data-files')
      next?.setAttribute('data-files', '')
      marked = next
    }
    const kinds = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
    for (const kind of kinds) section?.addEventListener(kind, onDrag)
    return () => {
      for (const kind of kinds) section?.removeEventListener(kind, onDrag)
    }
  }, [columns])
}

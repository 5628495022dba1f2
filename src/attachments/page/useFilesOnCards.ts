import { type RefObject, useEffect, useEffectEvent } from 'react'
import { aliasOf, isTemporary } from '../../web/live/aliases'
import { filesIn, hasFiles } from '../../web/useFileDrops'

const cardAt = (target: EventTarget | null) => (target instanceof Element ? target.closest<HTMLElement>('[data-task]') : null)

/** Attaches files dropped on a card, which shows an outline meanwhile. */
export function useFilesOnCards(columns: RefObject<HTMLElement | null>, boardId: number, locked: boolean): void {
  const take = useEffectEvent((event: DragEvent, marked: HTMLElement | null): HTMLElement | null => {
    if (!hasFiles(event)) return marked
    const card = locked ? null : cardAt(event.target)
    const taskId = aliasOf(Number(card?.dataset.task))
    // The server does not know a task created offline yet.
    const isTaken = card !== null && !isTemporary(taskId)
    if (event.dataTransfer) event.dataTransfer.dropEffect = isTaken ? 'copy' : 'none'
    event.preventDefault()
    if (event.type !== 'drop') return isTaken && event.type !== 'dragleave' ? card : null
    const files = filesIn(event)
    if (isTaken) void import('./useUploads').then(({ addFiles }) => addFiles(boardId, taskId, files))
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

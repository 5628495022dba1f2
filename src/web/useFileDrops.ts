import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

export const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
export const filesIn = ({ dataTransfer }: DragEvent): File[] => [...(dataTransfer?.files ?? [])]

/** Ignores files dropped where nothing accepts them: the browser would leave the page to show them. */
export function ignoreStrayFiles(): void {
  const ignore = (event: DragEvent) => {
    if (event.defaultPrevented || !hasFiles(event)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', ignore)
  window.addEventListener('drop', ignore)
}
const DIALOG = '[role="dialog"]'

/** Accepts files dropped on, or pasted into, the dialog (or given container) around an element; returns it while files hover. */
export function useFileDrops(
  within: RefObject<HTMLElement | null>,
  onFiles: (files: File[]) => void,
  around = DIALOG,
): HTMLElement | null {
  const [over, setOver] = useState<HTMLElement | null>(null)

  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    const area = within.current?.closest<HTMLElement>(around) ?? null
    const inside = event.target instanceof Node && !!area?.contains(event.target)
    if (event.dataTransfer) event.dataTransfer.dropEffect = inside ? 'copy' : 'none'
    if (event.type === 'dragleave' ? event.relatedTarget === null : event.type === 'drop') setOver(null)
    else setOver(inside ? area : null)
    if (event.type === 'drop' && inside) onFiles(filesIn(event))
  })

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    // Word and Excel add an image to any text that they copy.
    if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return
    event.preventDefault()
    onFiles(files)
  })

  useEffect(() => {
    const drag = (event: DragEvent) => onDrag(event)
    const paste = (event: ClipboardEvent) => onPaste(event)
    const kinds = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
    for (const kind of kinds) window.addEventListener(kind, drag)
    window.addEventListener('paste', paste)
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, drag)
      window.removeEventListener('paste', paste)
    }
  }, [])
  return over
}

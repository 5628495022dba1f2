import { Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import { isTyping } from '../isTyping'
import { undo, undoLast, useUndos } from '../undo'

/** What one has just done, each with its way back, at the left where no toast comes: above the columns' foot, or in the line of a dialog's buttons. */
export function UndoStack() {
  const undos = useUndos()
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <section
      {...(undos.length > 0 && { 'aria-label': 'Undo' })}
      className="pointer-events-none fixed bottom-14 left-0 z-[60] max-w-full lg:left-64 above-line:bottom-28 max-sm:beside-popover:bottom-0 short:beside-popover:bottom-0 beside-layer:bottom-0 beside-layer:left-0"
    >
      {/* Dialogs hide from screen readers what is not live. */}
      <ul aria-live="off" className="flex flex-col items-start max-sm:[&>li:not(:last-child)]:hidden">
        {undos.map((one) => (
          <li
            key={one.id}
            data-toast
            className="pointer-events-auto mx-4 my-1.5 flex max-w-80 animate-rise items-center gap-3 rounded-card bg-raised py-1.5 pr-1.5 pl-3 text-small shadow-panel sm:ml-6 sm:max-w-[min(17rem,45vw-4.5rem)] max-sm:beside-layer:pl-1.5"
          >
            <p className="min-w-0 truncate max-sm:beside-layer:sr-only">
              {one.text} {one.about && <bdi className="text-quiet">{one.about}</bdi>}
            </p>
            <button
              type="button"
              // It goes as it is clicked: the focus stays where one was.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => undo(one)}
              className="flex min-h-7 shrink-0 items-center gap-1.5 rounded-card px-2 font-strong hover:bg-hover"
            >
              <Undo2 className="size-3.5" aria-hidden />
              Undo
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function onKey(event: KeyboardEvent) {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
  if (isUndo && !isTyping(event.target) && undoLast()) event.preventDefault()
}

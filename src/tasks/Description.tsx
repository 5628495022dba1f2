import { Pencil } from 'lucide-react'
import { lazy, type MouseEvent, Suspense, useState } from 'react'
import { QuietTextArea } from '../web/ui/Field'
import { PlainText } from '../web/ui/PlainText'

const Markdown = lazy(() =>
  import('../web/ui/Markdown').then(
    (loaded) => ({ default: loaded.Markdown }),
    () => ({ default: PlainText }),
  ),
)

type Props = {
  tied: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }
  stored: string
  typed: string | undefined
  readOnly: boolean
  onType(text: string): void
}

/** A task's description: Markdown to read, and a field as soon as one writes in it. */
export function Description({ tied, stored, typed, readOnly, onType }: Props) {
  const [writing, setWriting] = useState(false)
  if (stored && typed === undefined && !writing) return <Read text={stored} onEdit={readOnly ? null : () => setWriting(true)} />
  return (
    <QuietTextArea
      {...tied}
      className="max-h-[40vh] min-h-24"
      readOnly={readOnly}
      // It took the place of what was clicked.
      autoFocus={writing}
      placeholder={readOnly ? 'No description' : 'Add a description. Markdown works.'}
      value={typed ?? stored}
      onChange={(event) => onType(event.target.value)}
      onBlur={() => setWriting(false)}
    />
  )
}

function Read({ text, onEdit }: { text: string; onEdit: (() => void) | null }) {
  /** Links are followed, and selecting is not meant to edit. */
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a')) return
    if (getSelection()?.isCollapsed !== false) onEdit?.()
  }
  return (
    <div className="group relative -mx-2">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the pencil is this for the keyboard */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        onClick={onClick}
        className={`rounded-card px-2 py-1.5 ${onEdit ? 'cursor-text ring-inset hover:ring-1 hover:ring-edge' : ''}`}
      >
        <Suspense fallback={<PlainText text={text} />}>
          <Markdown text={text} />
        </Suspense>
      </div>
      {onEdit && (
        <button
          type="button"
          aria-label="Edit the description"
          onClick={onEdit}
          className="absolute top-1 right-1 grid size-6 place-items-center rounded-card bg-raised text-quiet opacity-0 transition-opacity hover:text-text focus-visible:opacity-100 group-hover:opacity-100"
        >
          <Pencil className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  )
}

import { Pencil } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import type { Checkbox } from '../../checklist'
import { QuietTextArea } from '../../web/ui/Field'
import { FOCUSED_AT_END } from '../../web/ui/focusedAtEnd'
import { Markdown } from '../../web/ui/Markdown'

type Props = {
  tied: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }
  stored: string | undefined
  loading: boolean
  typed: string | undefined
  readOnly: boolean
  onType(text: string): void
  onTick(box: Checkbox): void
}

export function Description({ tied, stored, loading, typed, readOnly, onType, onTick }: Props) {
  const [writing, setWriting] = useState(false)
  if (stored === undefined && typed === undefined) return loading ? <Loading /> : null
  if (stored && typed === undefined && !writing)
    return <Read text={stored} onEdit={readOnly ? undefined : () => setWriting(true)} onTick={readOnly ? undefined : onTick} />
  return (
    <QuietTextArea
      {...tied}
      className="max-h-[40vh] min-h-24"
      readOnly={readOnly}
      {...(writing && FOCUSED_AT_END)}
      placeholder={readOnly ? 'No description' : 'Add a description. Markdown works.'}
      value={typed ?? stored ?? ''}
      onChange={(event) => onType(event.target.value)}
      onBlur={() => setWriting(false)}
    />
  )
}

const Loading = () => (
  <div role="status" aria-label="Loading the description" className="flex animate-pulse flex-col gap-2.5 py-2.5">
    {['w-11/12', 'w-full', 'w-3/5'].map((width) => (
      <span key={width} className={`h-3 rounded-card bg-edge/30 ${width}`} />
    ))}
  </div>
)

type Reading = { text: string; onEdit: (() => void) | undefined; onTick: ((box: Checkbox) => void) | undefined }

function Read({ text, onEdit, onTick }: Reading) {
  /** Following a link, ticking or selecting text does not edit. */
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a, input')) return
    if (getSelection()?.isCollapsed !== false) onEdit?.()
  }
  return (
    <div className="item relative -mx-2">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the pencil is this for the keyboard */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        onClick={onClick}
        className={`rounded-card px-2 py-1.5 ${onEdit ? 'cursor-text ring-inset hover:ring-1 hover:ring-edge' : ''}`}
      >
        <Markdown text={text} onTick={onTick} />
      </div>
      {onEdit && (
        <button
          type="button"
          aria-label="Edit the description"
          onClick={onEdit}
          className="absolute top-1 right-1 grid size-6 place-items-center rounded-card bg-raised text-quiet opacity-0 transition-opacity hover:text-text pointed:opacity-100"
        >
          <Pencil className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  )
}

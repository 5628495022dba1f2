import Pencil from 'lucide-react/icons/pencil'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { numberText } from '../../format'
import { youHave } from '../useForm'
import { Button } from './Button'
import { FOCUSED_AT_END } from './Field'

type Props = {
  as: 'h1' | 'p'
  label: string
  value: string
  /** Shown instead of the value while not editing. */
  shown?: string
  placeholder?: string
  max: number
  mayEdit: boolean
  className: string
  onEditing?(active: boolean): void
  /** Resolves to undefined if refused; the field then reopens. */
  onSave(value: string): Promise<unknown> | undefined
}

export function InlineEdit({
  as: Text,
  label,
  value,
  shown = value,
  placeholder,
  max,
  mayEdit,
  className,
  onEditing,
  onSave,
}: Props) {
  const [draft, setDraft] = useState<string | null>(null)
  /** False once Enter or Escape closed the field, which blurs it as well. */
  const open = useRef(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const noteId = useId()

  const begin = (text: string) => {
    open.current = true
    // After a refusal, what is typed since stays.
    setDraft((now) => now ?? text)
    onEditing?.(true)
  }
  const end = () => {
    open.current = false
    flushSync(() => setDraft(null))
    onEditing?.(false)
  }
  const save = async () => {
    if (draft === null || !open.current) return
    const text = draft.trim()
    if (text.length > max) return
    end()
    if (text === value.trim()) return
    const saving = onSave(text)
    if (saving && (await saving) === undefined) begin(draft)
  }
  const leave = useEffectEvent(() => {
    if (draft === null || !open.current) return
    onEditing?.(false)
    const text = draft.trim()
    if (text.length <= max && text !== value.trim()) void onSave(text)
  })
  // A field removed with its page fires no blur.
  useEffect(() => () => leave(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) void save()
    else if (event.key === 'Escape') end()
    else return
    event.preventDefault()
    // Keyboard users continue from where the field was opened.
    pencil.current?.focus()
  }

  if (draft !== null) {
    // A paragraph may have several lines, which an input would drop.
    const Control = Text === 'p' ? 'textarea' : 'input'
    const tooLong = draft.trim().length > max
    return (
      <>
        <Control
          {...FOCUSED_AT_END}
          dir="auto"
          aria-label={label}
          aria-invalid={tooLong}
          aria-describedby={tooLong ? noteId : undefined}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={() => void save()}
          onKeyDown={onKeyDown}
          className={`-mx-1.5 field-sizing-content block max-h-[40vh] w-[calc(100%+0.75rem)] resize-none rounded-card bg-surface px-1.5 ring-2 ring-text outline-none aria-invalid:ring-danger ${className}`}
        />
        {tooLong && (
          <p id={noteId} role="alert" className="pt-1 text-danger text-small">
            Must be at most {numberText(max)} characters {youHave(draft)}
          </p>
        )}
      </>
    )
  }
  return (
    <div className="item flex min-h-6 max-w-full items-center gap-1">
      {/* Keyboards and screen readers use the pencil; selecting text does not edit. */}
      <Text
        dir="auto"
        title={value}
        onClick={() => mayEdit && getSelection()?.isCollapsed !== false && begin(value)}
        className={`${mayEdit ? 'cursor-text' : ''} ${Text === 'p' ? 'line-clamp-2 short:line-clamp-1 whitespace-pre-line break-words' : 'truncate'} ${className}`}
      >
        {shown || placeholder}
      </Text>
      {mayEdit && (
        <button
          ref={pencil}
          type="button"
          aria-label={`Edit ${label.toLowerCase()}`}
          onClick={() => begin(value)}
          data-of={Text}
          className="inline-pencil"
        >
          <Pencil className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  )
}

type ConflictProps = { theirs: string; by: string | undefined; onTake(): void; onKeep(): void }

export function EditConflict({ theirs, by, onTake, onKeep }: ConflictProps) {
  const did = theirs ? 'changed' : 'cleared'
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-card bg-column p-3 text-small">
      <p dir="auto" className="max-h-32 w-full overflow-y-auto whitespace-pre-wrap break-words">
        {by ? (
          <>
            <bdi>{by}</bdi> {did} this
          </>
        ) : (
          `This was ${did}`
        )}
        {theirs && ` to “${theirs}”`} while you were editing.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" data-ignore-second-press onClick={onTake}>
          Take theirs
        </Button>
        <Button size="small" data-ignore-second-press onClick={onKeep}>
          Keep mine
        </Button>
      </div>
    </div>
  )
}

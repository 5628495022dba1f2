import { Pencil } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'

type Props = {
  as: 'h1' | 'p'
  label: string
  value: string
  placeholder?: string
  max: number
  mayEdit: boolean
  className: string
  onEditing?(active: boolean): void
  /** Resolves to undefined where it was refused; what was typed is then there again. */
  onSave(value: string): Promise<unknown> | undefined
}

/** Text that becomes a field: Enter or leaving it saves, Escape cancels, and what is unchanged is not sent. */
export function InlineEdit({ as: Text, label, value, placeholder, max, mayEdit, className, onEditing, onSave }: Props) {
  const [draft, setDraft] = useState<string | null>(null)
  /** Whether leaving the field still means saving: Enter and Escape leave it too, by taking it away. */
  const open = useRef(false)

  const begin = (text: string) => {
    open.current = true
    setDraft(text)
    onEditing?.(true)
  }
  const end = () => {
    open.current = false
    setDraft(null)
    onEditing?.(false)
  }
  const save = async () => {
    if (draft === null || !open.current) return
    const text = draft.trim()
    end()
    if (text === value.trim()) return
    const saving = onSave(text)
    if (saving && (await saving) === undefined) begin(draft)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) void save()
    else if (event.key === 'Escape') end()
    else return
    event.preventDefault()
  }

  // A paragraph may hold several lines, which an input would drop.
  const Control = Text === 'p' ? 'textarea' : 'input'
  if (draft !== null)
    return (
      <Control
        autoFocus
        aria-label={label}
        value={draft}
        maxLength={max}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
        className={`-mx-1.5 block w-full rounded-card bg-surface px-1.5 ring-2 ring-accent focus:outline-none ${className}`}
      />
    )
  return (
    <div className="group flex max-w-full items-center gap-1">
      <Text title={value} className={`${Text === 'p' ? 'line-clamp-2 break-words' : 'truncate'} ${className}`}>
        {value || placeholder}
      </Text>
      {mayEdit && (
        <button
          type="button"
          aria-label={`Edit ${label.toLowerCase()}`}
          onClick={() => begin(value)}
          className="grid size-6 shrink-0 place-items-center rounded-card text-quiet opacity-0 transition-opacity hover:bg-hover hover:text-text focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
        >
          <Pencil className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  )
}

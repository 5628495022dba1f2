import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { Input } from '../../web/ui/Field'
import { TAG_MAX, TAGS_MAX } from '../basics'

type Props = {
  id: string
  tags: string[]
  /** The board's other tags, as suggestions. */
  known: string[]
  disabled?: boolean
  onChange(tags: string[]): void
}

/** Enter, a comma or leaving the field adds a tag; Backspace in the empty field removes the last. */
export function TagInput({ id, tags, known, disabled = false, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const full = tags.length >= TAGS_MAX

  const add = (text: string) => {
    setTyped('')
    const next = withTags(tags, text)
    if (next.length > tags.length) onChange(next)
  }
  const remove = (tag: string) => {
    onChange(tags.filter((other) => other !== tag))
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const last = tags.at(-1)
    if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last)
    if ((event.key !== 'Enter' && event.key !== ',') || typed.trim() === '') return
    event.preventDefault()
    add(typed)
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = typed + event.clipboardData.getData('text')
    // A tag that is too long stays in the field to be shortened.
    if (!/[,\n]/.test(text) || partsOf(text).some((tag) => tag.length > TAG_MAX)) return
    event.preventDefault()
    add(text)
  }
  return (
    <div className="flex flex-col gap-2">
      {tags.length > 0 && (
        <ul className="flex flex-wrap gap-1" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag} className="flex max-w-full items-center gap-0.5 rounded-[4px] bg-hover pl-2">
              <span dir="auto" className="min-w-0 break-words text-small">
                {tag}
              </span>
              <button
                type="button"
                disabled={disabled}
                aria-label={`Remove the tag ${tag}`}
                onClick={() => remove(tag)}
                className="grid size-6 shrink-0 place-items-center rounded-[4px] text-quiet hover:text-text disabled:hidden"
              >
                <X className="size-3" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Input
        id={id}
        ref={input}
        list={list}
        value={typed}
        maxLength={TAG_MAX}
        disabled={disabled || full}
        placeholder={full ? `At most ${TAGS_MAX}` : 'Add a tag'}
        autoComplete="off"
        enterKeyHint="done"
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => add(typed)}
      />
      <datalist id={list}>
        {known
          .filter((tag) => !tags.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </div>
  )
}

const partsOf = (text: string) =>
  text
    .split(/[,\n]/)
    .map((tag) => tag.trim())
    .filter(Boolean)

const withTags = (tags: string[], text: string) => [...new Set([...tags, ...partsOf(text)])].slice(0, TAGS_MAX)

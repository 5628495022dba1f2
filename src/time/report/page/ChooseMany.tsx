import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { SEARCHED_ABOVE } from '../../../users/basics'
import { Button } from '../../../web/ui/Button'
import { Input } from '../../../web/ui/Field'
import { Popover, PopoverPanel } from '../../../web/ui/Popover'

type Option = { id: number; label: string }
type Props = { label: string; all: string; options: Option[]; chosen: number[]; onChoose(ids: number[]): void }

export function ChooseMany({ label, all, options, chosen, onChoose }: Props) {
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const { shown, more } = choicesIn(options, text)
  const [first] = options.filter(({ id }) => chosen.includes(id))
  const said = chosen.length === 0 ? all : chosen.length === 1 && first ? first.label : `${chosen.length} chosen`
  const toggle = (id: number) => onChoose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  const chooseAll = () => {
    onChoose([])
    // The button is gone then.
    list.current?.querySelector('input')?.focus()
  }
  return (
    <Popover
      onOpenChange={() => setText('')}
      trigger={
        <button
          type="button"
          aria-label={`${label}: ${said}`}
          className="flex h-10 min-w-0 items-center gap-2 rounded-card bg-surface pr-2.5 pl-3 pointer-coarse:text-[1rem] ring-1 ring-edge ring-inset"
        >
          <span dir="auto" className="min-w-0 flex-1 truncate text-left">
            {said}
          </span>
          <ChevronDown className="size-4 shrink-0 text-quiet" aria-hidden />
        </button>
      }
    >
      <PopoverPanel label={label} className="z-50 w-80 gap-2 p-3">
        {options.length > SEARCHED_ABOVE && (
          <Input aria-label={`Find ${label.toLowerCase()}`} value={text} onChange={(event) => setText(event.target.value)} />
        )}
        <ul ref={list} className="-mx-1 flex max-h-64 flex-col overflow-y-auto">
          {shown.map(({ id, label }) => (
            <li key={id}>
              <label className="flex min-h-8 items-center gap-2 rounded-card px-2 py-1.5 hover:bg-hover">
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-text"
                  checked={chosen.includes(id)}
                  onChange={() => toggle(id)}
                />
                <span dir="auto" className="min-w-0 truncate">
                  {label}
                </span>
              </label>
            </li>
          ))}
        </ul>
        {more && <p className="text-quiet text-small">{MORE_CHOICES}</p>}
        {chosen.length > 0 && (
          <Button size="small" look="quiet" className="self-start" onClick={chooseAll}>
            {all}
          </Button>
        )}
      </PopoverPanel>
    </Popover>
  )
}

const CHOICES = 100

/** The options whose label contains a text; `more` where there are others. */
export function choicesIn<T extends { label: string }>(options: T[], text: string): { shown: T[]; more: boolean } {
  const found = options.filter(({ label }) => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()))
  return { shown: found.slice(0, CHOICES), more: found.length > CHOICES }
}

export const MORE_CHOICES = `Only the first ${CHOICES} are shown: type to find others.`

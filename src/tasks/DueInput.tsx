import { X } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Input } from '../web/ui/Field'

type Props = Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'> & {
  due: string | null
  disabled?: boolean
  onChange(due: string | null): void
}

/** A calendar day. While a year is being typed, 2 and 20 and 202 are years too: only four digits are taken. */
export function DueInput({ due, disabled = false, onChange, ...tied }: Props) {
  const [typed, setTyped] = useState<string>()
  const take = (value: string) => {
    setTyped(value)
    if (value >= '1000' && value !== due) onChange(value)
  }
  const leave = () => {
    if (typed === '' && due !== null) onChange(null)
    setTyped(undefined)
  }
  return (
    <span className="relative flex">
      <Input
        {...tied}
        type="date"
        className="pr-8"
        disabled={disabled}
        max="9999-12-31"
        value={typed ?? due ?? ''}
        onChange={(event) => take(event.target.value)}
        onBlur={leave}
      />
      {due !== null && !disabled && (
        <button
          type="button"
          aria-label="Remove the due date"
          onClick={() => {
            setTyped(undefined)
            onChange(null)
          }}
          className="absolute top-2 right-1.5 grid size-6 place-items-center rounded-[4px] text-quiet hover:bg-hover hover:text-text"
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </span>
  )
}

import { X } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { DayInput } from '../../web/ui/DayInput'

type Props = Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'> & {
  due: string | null
  disabled?: boolean
  onChange(due: string | null): void
}

export function DueInput({ due, disabled = false, onChange, ...tied }: Props) {
  const [removals, setRemovals] = useState(0)
  const remove = () => {
    setRemovals(removals + 1)
    onChange(null)
  }
  return (
    <DayInput
      // Removing the day also removes a half-typed one.
      key={removals}
      {...tied}
      disabled={disabled}
      day={due ?? ''}
      onDay={(day) => onChange(day || null)}
      aside={
        due !== null && (
          <button
            type="button"
            aria-label="Remove the due date"
            onClick={remove}
            className="grid size-6 place-items-center rounded-[4px] text-quiet hover:bg-hover hover:text-text"
          >
            <X className="size-3.5" aria-hidden />
          </button>
        )
      }
    />
  )
}

import * as Radix from 'radix-ui/switch'
import { useId } from 'react'

type Props = { label: string; text: string; on: boolean; onChange(on: boolean): void; disabled?: boolean }

/** The text is part of the label. */
export function Switch({ label, text, on, onChange, disabled = false }: Props) {
  const id = useId()
  return (
    <div className={`flex items-center justify-between gap-4 ${disabled ? 'opacity-50' : ''}`}>
      <label htmlFor={id} className={`flex min-w-0 flex-1 flex-col ${disabled ? 'cursor-not-allowed!' : ''}`}>
        <span className="font-strong">{label}</span>
        <span id={`${id}-text`} className="text-pretty text-quiet">
          {text}
        </span>
      </label>
      <Radix.Root
        id={id}
        checked={on}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-label={label}
        aria-describedby={`${id}-text`}
        className="relative h-6 w-10 shrink-0 rounded-full bg-edge transition-colors duration-150 disabled:cursor-not-allowed data-[state=checked]:bg-text"
      >
        <Radix.Thumb className="block size-5 translate-x-0.5 rounded-full bg-surface transition-transform duration-150 data-[state=checked]:translate-x-[1.125rem]" />
      </Radix.Root>
    </div>
  )
}

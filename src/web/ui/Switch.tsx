import { useId } from 'react'

type Props = { label: string; text: string; on: boolean; onChange(on: boolean): void; disabled?: boolean }

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
      <input
        id={id}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: an HTML checkbox already says whether it is checked
        role="switch"
        checked={on}
        onChange={() => onChange(!on)}
        onKeyDown={(event) => {
          // It would submit the surrounding form.
          if (event.key !== 'Enter') return
          event.preventDefault()
          onChange(!on)
        }}
        disabled={disabled}
        aria-label={label}
        aria-describedby={`${id}-text`}
        className="relative h-6 w-10 shrink-0 appearance-none rounded-full bg-edge transition-colors duration-150 before:absolute before:top-0.5 before:left-0.5 before:size-5 before:rounded-full before:bg-surface before:transition-transform before:duration-150 before:content-[''] checked:bg-text checked:before:translate-x-4 disabled:cursor-not-allowed"
      />
    </div>
  )
}

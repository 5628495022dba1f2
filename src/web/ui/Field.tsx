import { Label } from 'radix-ui'
import { type ComponentProps, type ReactNode, useId } from 'react'

const CONTROL =
  'w-full rounded-card bg-surface px-3 text-text ring-1 ring-inset ring-edge transition-shadow duration-150 focus:outline-none focus:ring-2 focus:ring-accent aria-invalid:ring-danger disabled:opacity-60'

/** A labelled control with its error or hint below; `children` gets the attributes that tie them together. */
export function Field(props: {
  label: string
  error?: string | undefined
  hint?: string
  aside?: ReactNode
  children(tied: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }): ReactNode
}) {
  const id = useId()
  const note = props.error ?? props.hint
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <Label.Root htmlFor={id} className="font-strong">
          {props.label}
        </Label.Root>
        {props.aside}
      </div>
      {props.children({ id, 'aria-invalid': !!props.error, 'aria-describedby': note ? `${id}-note` : undefined })}
      {note && (
        <p
          id={`${id}-note`}
          className={`text-small ${props.error ? 'text-danger' : 'text-quiet'}`}
          role={props.error ? 'alert' : undefined}
        >
          {note}
        </p>
      )}
    </div>
  )
}

export const Input = ({ className = '', ...rest }: ComponentProps<'input'>) => (
  <input className={`h-10 ${CONTROL} ${className}`} {...rest} />
)

export const TextArea = ({ className = '', ...rest }: ComponentProps<'textarea'>) => (
  <textarea className={`resize-y py-2 ${CONTROL} ${className}`} {...rest} />
)

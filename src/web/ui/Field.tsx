import ChevronDown from 'lucide-react/icons/chevron-down'
import * as Label from 'radix-ui/label'
import { type ComponentProps, type FocusEvent, type ReactNode, useId } from 'react'

type Tied = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }

/** `children` gets the attributes that tie the control to its label and error. */
export function Field(props: {
  label: string
  unlabelled?: boolean
  /** Its label is as large as neighbouring headings. */
  heading?: boolean
  error?: string | undefined
  hint?: string
  aside?: ReactNode
  question?: ReactNode
  children(tied: Tied): ReactNode
}) {
  const id = useId()
  const note = props.error ?? props.hint
  return (
    <div className="flex flex-col gap-1.5">
      <div className="grid grid-cols-[1fr_auto] items-center gap-x-2 gap-y-1.5">
        <Label.Root htmlFor={id} className={props.unlabelled ? 'sr-only' : `font-strong ${props.heading ? 'text-section' : ''}`}>
          {props.label}
        </Label.Root>
        <div className={`col-span-2 min-w-0 ${props.unlabelled ? '' : 'row-start-2'}`}>
          {props.children({ id, 'aria-invalid': !!props.error, 'aria-describedby': note ? `${id}-note` : undefined })}
        </div>
        {props.aside && <div className="col-start-2 row-start-1 -my-1.5">{props.aside}</div>}
      </div>
      {note && (
        <p
          id={`${id}-note`}
          className={`text-pretty text-small ${props.error ? 'text-danger' : 'text-quiet'}`}
          role={props.error ? 'alert' : undefined}
        >
          {note}
        </p>
      )}
      {props.question}
    </div>
  )
}

export const Input = ({ className = '', ...rest }: ComponentProps<'input'>) => (
  <input dir="auto" className={`h-field w-full px-3 control ${className}`} {...rest} />
)

export const TextArea = ({ className = '', ...rest }: ComponentProps<'textarea'>) => (
  <textarea
    dir="auto"
    className={`block field-sizing-content max-h-[40vh] min-h-20 resize-none w-full px-3 py-2 control ${className}`}
    {...rest}
  />
)

export const QuietTextArea = ({ className = '', ...rest }: ComponentProps<'textarea'>) => (
  <textarea dir="auto" className={`quiet-field ${className}`} {...rest} />
)

type SelectProps = ComponentProps<'select'> & { options?: readonly (readonly [value: string | number, label: string])[] }

/** The browser's own, which works best on phones and with screen readers. */
export const Select = ({ className = '', options = [], children, ...rest }: SelectProps) => (
  <span className={`relative inline-flex ${className}`}>
    <select
      className='h-field w-full appearance-none pr-8 pl-3 has-[option[value=""]:disabled:checked]:text-quiet control'
      {...rest}
    >
      {children}
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
    <ChevronDown className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 size-4 text-quiet" aria-hidden />
  </span>
)

const focused = new WeakSet<Element>()

/** For fields that open with text: browsers would put the caret before it. Later it stays where it was. */
export const FOCUSED_AT_END = {
  autoFocus: true,
  'data-autofocus': true,
  onFocus({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) {
    if (!focused.has(target)) target.setSelectionRange(target.value.length, target.value.length)
    focused.add(target)
  },
}

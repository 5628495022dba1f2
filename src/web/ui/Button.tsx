import type { LucideIcon } from 'lucide-react'
import * as Slot from 'radix-ui/slot'
import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { Spinner } from './Spinner'

const LOOKS = {
  primary:
    'not-disabled:bg-text not-disabled:text-inverse disabled:bg-hover not-disabled:hover:opacity-90 not-disabled:active:opacity-80',
  plain: 'bg-button text-text ring-1 ring-inset ring-button-edge not-disabled:hover:bg-hover not-disabled:hover:ring-edge',
  quiet: 'text-quiet not-disabled:hover:bg-hover not-disabled:hover:text-text',
  danger:
    'not-disabled:bg-danger not-disabled:text-inverse disabled:bg-hover not-disabled:hover:opacity-90 not-disabled:active:opacity-80',
  'quiet-danger': 'text-danger not-disabled:hover:bg-accent-soft',
} as const

const SIZES = {
  normal: 'h-field max-sm:h-auto max-sm:min-h-field px-inset gap-2',
  large: 'h-12 px-6 gap-2',
  small: 'h-control px-3 gap-1.5',
  icon: 'size-icon',
} as const

type Props = ComponentProps<'button'> & {
  look?: keyof typeof LOOKS
  size?: keyof typeof SIZES
  busy?: boolean
  asChild?: boolean
}

export function Button({
  look = 'plain',
  size = 'normal',
  busy = false,
  asChild,
  className = '',
  children,
  disabled,
  ...rest
}: Props) {
  const isOff = disabled || busy
  useKeptFocus(isOff)
  const dress = `button ${LOOKS[look]} ${SIZES[size]} ${className}`
  if (asChild)
    return (
      <Slot.Root className={dress} {...rest}>
        {children}
      </Slot.Root>
    )
  return (
    <button type="button" disabled={isOff} aria-busy={busy || undefined} className={dress} {...rest}>
      {busy && <Spinner />}
      {children}
    </button>
  )
}

export const ICON_BUTTON = 'grid size-icon place-items-center rounded-card text-quiet hover:bg-hover hover:text-text'

type IconProps = Omit<ComponentProps<'button'>, 'children'> & { icon: LucideIcon; label: string }

export const IconButton = ({ icon: Icon, label, ...rest }: Omit<Props, 'size'> & IconProps) => (
  <Button look="quiet" size="icon" aria-label={label} title={label} {...rest}>
    <Icon className="size-4" aria-hidden />
  </Button>
)

export const SmallIconButton = ({ icon: Icon, label, className = '', ...rest }: IconProps) => (
  <button
    type="button"
    aria-label={label}
    className={`grid size-6 shrink-0 place-items-center text-quiet hover:text-text ${className}`}
    {...rest}
  >
    <Icon className="size-3.5" aria-hidden />
  </button>
)

/** Browsers take the focus from disabled buttons: this one gets it back once enabled. */
function useKeptFocus(isOff = false) {
  const focused = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const { activeElement, body } = document
    const was = focused.current
    focused.current = isOff && activeElement instanceof HTMLButtonElement && activeElement.disabled ? activeElement : null
    if (!isOff && activeElement === body) was?.focus()
  }, [isOff])
}

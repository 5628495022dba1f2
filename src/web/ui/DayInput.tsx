import { type ComponentProps, useState } from 'react'
import { Input } from './Field'

type Props = Omit<ComponentProps<'input'>, 'type' | 'max' | 'value' | 'onChange' | 'onBlur'> & {
  /** YYYY-MM-DD, or empty. */
  day: string
  onDay(day: string): void
}

/**
 * A calendar day. While a year is being typed, 2 and 20 and 202 are years too, and half a day is none: only four digits are
 * taken, and an empty field when it is left.
 */
export function DayInput({ day, onDay, ...rest }: Props) {
  const [typed, setTyped] = useState<string>()
  const take = (value: string) => {
    setTyped(value)
    if (value >= '1000' && value !== day) onDay(value)
  }
  const leave = () => {
    if (typed === '' && day !== '') onDay('')
    setTyped(undefined)
  }
  return (
    <Input
      {...rest}
      type="date"
      max="9999-12-31"
      value={typed ?? day}
      onChange={(event) => take(event.target.value)}
      onBlur={leave}
    />
  )
}

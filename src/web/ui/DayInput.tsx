import { type ComponentProps, useState } from 'react'
import { Input } from './Field'

type Props = Omit<ComponentProps<'input'>, 'type' | 'max' | 'value' | 'onChange' | 'onBlur'> & {
  day: string
  onDay(day: string): void
}

/** Only years of four digits are taken, for 2, 20 and 202 are years too while 2026 is being typed. */
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

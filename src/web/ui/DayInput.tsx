import CalendarDays from 'lucide-react/icons/calendar-days'
import * as Popover from 'radix-ui/popover'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { dayAt, isDay } from '../../days'
import { calendarDay } from '../../format'
import { lazyComponent } from '../lazyComponent'
import { useFirstWeekday } from '../settings'
import { useMedia } from '../useMedia'
import { Dialog } from './Dialog'
import { parseDay } from './day/parseDay'
import { Input } from './Field'
import { PopoverPanel } from './Popover'

export const Calendar = lazyComponent(() => import('./day/Calendar').then((module) => module.Calendar))

type Props = Pick<ComponentProps<'input'>, 'id' | 'disabled' | 'readOnly' | 'aria-invalid' | 'aria-describedby'> & {
  day: string
  onDay(day: string): void
  /** Whether days without a year, and weekdays, lie in the past. */
  past?: boolean
  /** Placed before the calendar button. */
  aside?: ReactNode
}

const notADay = (past: boolean) => `Not a valid date. Try “${past ? 'yesterday' : 'tomorrow'}”, “Fri” or “Nov 25”.`

/** Windows in which the calendar may fit neither above nor below its field. */
const TOO_LOW = '(height < 45rem)'

/** A day, typed in words or numbers, or picked from a calendar: a dialog on touch and in low windows, else a popover. */
export function DayInput({ day, onDay, past = false, aside, disabled, readOnly, ...tied }: Props) {
  const noteId = useId()
  const [typed, setTyped] = useState<string>()
  const [isLeft, setLeft] = useState(false)
  const [open, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isTouch = useMedia('(pointer: coarse)')
  const isLow = useMedia(TOO_LOW)
  const inDialog = isTouch || isLow
  const today = dayAt(new Date())
  const reading = { past, first: useFirstWeekday() }
  const isFixed = disabled || readOnly
  const isUnclear = typed !== undefined && typed.trim() !== '' && parseDay(typed, today, reading) === undefined
  const wrong = isUnclear && isLeft

  const choose = (next: string) => {
    setTyped(undefined)
    setLeft(false)
    if (next !== day) onDay(next)
  }
  const take = () => {
    if (typed === undefined) return
    const meant = typed.trim() === '' ? '' : parseDay(typed, today, reading)
    if (meant === undefined) setLeft(true)
    else choose(meant)
  }
  const type = (text: string) => {
    setTyped(text)
    if (isDay(text) && text !== day) onDay(text)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && typed !== undefined) flushSync(take)
    else if (event.key === 'Escape' && typed !== undefined) flushSync(() => choose(day))
    else if (event.key === 'ArrowDown' && !isFixed) setOpen(true)
    else return
    event.preventDefault()
  }
  const pick = (picked: string) => {
    setOpen(false)
    choose(picked)
  }
  const calendar = (
    <Calendar
      day={day}
      today={today}
      past={past}
      onPick={pick}
      fallback={<div className="h-79 w-60" aria-busy />}
      onLost={() => setOpen(false)}
    />
  )
  const described = [tied['aria-describedby'], wrong && noteId].filter(Boolean).join(' ')
  return (
    <Popover.Root open={open && !inDialog} onOpenChange={setOpen}>
      <Popover.Anchor className="relative flex flex-col gap-1.5">
        <Input
          {...tied}
          ref={field}
          className={aside ? 'pr-16 pointer-coarse:pr-22' : 'pr-10 pointer-coarse:pr-12'}
          autoComplete="off"
          placeholder={past ? 'e.g. yesterday' : 'e.g. tomorrow'}
          disabled={disabled}
          readOnly={readOnly}
          inputMode={isTouch ? 'none' : undefined}
          aria-invalid={tied['aria-invalid'] || wrong}
          aria-describedby={described || undefined}
          data-unclear={isUnclear || undefined}
          data-own-escape={typed === undefined ? undefined : true}
          value={typed ?? (day && calendarDay(day))}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={take}
          onClick={() => isTouch && !isFixed && setOpen(true)}
        />
        {!isFixed && (
          <span className="absolute top-0 right-1.5 flex h-field items-center">
            {aside}
            <Popover.Trigger aria-label="Open the calendar" className={SMALL}>
              <CalendarDays className="size-4" aria-hidden />
            </Popover.Trigger>
          </span>
        )}
        {wrong && (
          <p id={noteId} role="alert" className="text-danger text-small">
            {notADay(past)}
          </p>
        )}
      </Popover.Anchor>
      <PopoverPanel
        label="Calendar"
        className="z-50 p-3"
        onOpenAutoFocus={enterDays}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          field.current?.focus()
        }}
      >
        {calendar}
      </PopoverPanel>
      {inDialog && (
        <Dialog open={open} onOpenChange={setOpen} title="Choose a day">
          {calendar}
        </Dialog>
      )}
    </Popover.Root>
  )
}

/** The chosen day, not the first button. */
function enterDays(event: Event) {
  const day = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('[role="grid"] [tabindex="0"]')
  if (!day) return
  event.preventDefault()
  day.focus()
}

const SMALL = 'grid size-6 pointer-coarse:size-control place-items-center rounded-chip text-quiet hover:bg-hover hover:text-text'

import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { DayPicker, type Modifiers } from 'react-day-picker'
import { addDays, dayAt, mondayOf } from '../../../days'
import { lazy } from '../../../lazy'
import { useFirstWeekday } from '../../settings'
import { Button, ICON_BUTTON } from '../Button'

type CalendarProps = { day: string; today: string; past: boolean; onPick(day: string): void }

const localDate = (day: string) => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}

const choicesAt = (today: string, past: boolean) =>
  past
    ? [
        { name: 'Today', day: today },
        { name: 'Yesterday', day: addDays(today, -1) },
        { name: 'Last Monday', day: mondayOf(addDays(today, -1)) },
      ]
    : [
        { name: 'Today', day: today },
        { name: 'Tomorrow', day: addDays(today, 1) },
        { name: 'Next Monday', day: addDays(mondayOf(today), 7) },
      ]

const fullDay = lazy(() => new Intl.DateTimeFormat('en-CA', { dateStyle: 'full' }))

/** Includes the visible number, for voice control. */
const dayLabel = (date: Date, { today, selected }: Modifiers) =>
  `${today ? 'Today, ' : ''}${fullDay().format(date)}${selected ? ', selected' : ''}`

/** The picker counts from Sunday. */
const FROM_SUNDAY = [1, 2, 3, 4, 5, 6, 0] as const

export function Calendar({ day, today, past, onPick }: CalendarProps) {
  const first = useFirstWeekday()
  const selected = day === '' ? undefined : localDate(day)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-1.5">
        {choicesAt(today, past).map(({ name, day }) => (
          <Button key={name} size="small" className="pointer-coarse:flex-1" onClick={() => onPick(day)}>
            {name}
          </Button>
        ))}
      </div>
      <DayPicker
        mode="single"
        autoFocus
        fixedWeeks
        showOutsideDays
        weekStartsOn={FROM_SUNDAY[first] ?? 1}
        selected={selected}
        defaultMonth={selected ?? localDate(today)}
        onDayClick={(date) => onPick(dayAt(date))}
        labels={{ labelDayButton: dayLabel }}
        components={{
          Chevron: ({ orientation }) =>
            orientation === 'left' ? (
              <ChevronLeft className="size-4" aria-hidden />
            ) : (
              <ChevronRight className="size-4" aria-hidden />
            ),
        }}
        classNames={{
          months: 'relative',
          nav: 'absolute top-0 right-0 flex gap-1',
          button_previous: ICON_BUTTON,
          button_next: ICON_BUTTON,
          month_caption: 'flex h-icon items-center pl-2 font-strong',
          month_grid: 'mt-1 w-full border-collapse',
          weekday: 'h-8 font-normal text-quiet text-small',
          day: 'p-0 text-center',
          day_button:
            'tabular size-8.5 rounded-card hover:bg-hover focus-visible:outline-offset-0 pointer-coarse:h-11 pointer-coarse:w-full',
          outside: 'text-quiet',
          today: 'font-strong [&>button]:ring-1 [&>button]:ring-edge [&>button]:ring-inset',
          selected: '[&>button]:bg-text [&>button]:text-inverse [&>button]:hover:bg-text',
        }}
      />
    </div>
  )
}

import { WEEKDAYS, weekdayOf } from '../../../basics'
import { clockOf } from '../../entries/basics'

type Props = { week: string[]; day: string; today: string; sums: number[]; onDay(day: string): void }

/** The days of a week with their sums, of which one is shown where there is no room for seven. */
export const DayTabs = ({ week, day, today, sums, onDay }: Props) => (
  <fieldset className="grid grid-cols-7 gap-1" aria-label="Day">
    {week.map((each, nth) => (
      <button
        key={each}
        type="button"
        aria-pressed={each === day}
        onClick={() => onDay(each)}
        className="flex min-w-0 flex-col items-center rounded-card py-1.5 text-quiet hover:bg-hover aria-pressed:bg-column aria-pressed:text-text"
      >
        <span className={`text-small ${each === today ? 'font-strong text-text' : ''}`}>{WEEKDAYS[weekdayOf(each)]}</span>
        <span className="tabular font-strong">{Number(each.slice(8))}</span>
        <span className="tabular text-small">{sums[nth] ? clockOf(sums[nth]) : '–'}</span>
      </button>
    ))}
  </fieldset>
)

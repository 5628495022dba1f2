import { Link } from '@tanstack/react-router'
import { memo, useRef } from 'react'
import { durationText } from '../../format'
import { taskHash } from '../../tasks/page/taskUrl'
import { clockText, TEN_SECONDS, useNow } from '../../web/clock'
import { stableKey } from '../../web/live/temporaryIds'
import { Button } from '../../web/ui/Button'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { clockOf, elapsedMs, isOverdue, roundedMinutes, wholeMinutes } from '../limits'
import type { Timer } from '../schema'
import { closeEntry, confirmTimer, useOpenedEntry } from './cache'
import { EditTime } from './EditTime'
import { usePreloadedTimeFields } from './TimeForm'
import { TimerButtons, useStop } from './TimerButtons'
import { useTimers } from './timersCache'

// On a phone the name is above the time, and the link covers both, below the buttons. Elsewhere they are side by side.
const IN_HEADER = {
  link: 'max-sm:text-small max-sm:leading-4 max-sm:after:absolute max-sm:after:inset-0 max-sm:after:rounded-card',
  elapsed:
    'max-sm:col-span-2 max-sm:row-start-2 max-sm:gap-1.5 max-sm:px-0! max-sm:leading-5 max-[23rem]:[&>:empty]:hidden max-[22rem]:text-small',
  buttons: 'max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 max-[22rem]:[&>button]:w-8',
}

export function HeaderTimer() {
  const timers = useTimers()
  const place = useRef<HTMLSpanElement>(null)
  return (
    <>
      {/* Gets the focus when the focused timer is gone. */}
      <span ref={place} tabIndex={-1} className="sr-only">
        {timers.length === 0 && 'No timer'}
      </span>
      {timers.length > 0 && <Timers timers={timers} onGone={() => place.current?.focus()} />}
    </>
  )
}

/** The form of an entry opened from a toast: once per page, whatever its width. */
export function EntryOfNotice() {
  const opened = useOpenedEntry()
  return opened && <EditTime {...opened} onClose={closeEntry} onDeleted={closeEntry} />
}

function Timers({ timers: [first, ...others], onGone }: { timers: Timer[]; onGone(): void }) {
  usePreloadedTimeFields()
  if (!first) return null
  return (
    <>
      <section
        aria-label="Timer"
        className="relative min-w-0 items-center rounded-card bg-column py-1 pr-1 pl-3 max-lg:py-0 max-sm:pr-0 max-sm:pl-2.5 max-[22rem]:pl-1.5 max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto_auto] sm:flex max-lg:flex-1 sm:max-lg:max-w-80 lg:flex-wrap lg:pt-2"
      >
        <TimerRow key={stableKey('entry', first.id)} timer={first} look={IN_HEADER} onGone={onGone} />
        {others.length > 0 && <Others timers={others} onGone={onGone} />}
      </section>
      <StillWorking key={stableKey('entry', first.id)} timer={first} onGone={onGone} />
    </>
  )
}

type RowProps = { timer: Timer; look?: Partial<typeof IN_HEADER>; onGone(): void }

const TimerRow = ({ timer, look = {}, onGone }: RowProps) => (
  <>
    <Link
      to="/board/$boardId"
      params={{ boardId: timer.boardId }}
      search={{}}
      hash={taskHash(timer.taskId)}
      title={timer.board}
      className={`min-w-0 flex-1 truncate hover:underline lg:basis-full ${look.link ?? ''}`}
    >
      <bdi>{timer.task}</bdi>
    </Link>
    <Elapsed timer={timer} className={look.elapsed} />
    <span className={`relative flex ${look.buttons ?? ''}`}>
      <TimerButtons timer={timer} small onGone={onGone} />
    </span>
  </>
)

function Elapsed({ timer, className = '' }: { timer: Timer; className?: string | undefined }) {
  const running = timer.status === 'ACTIVE'
  const now = useNow(running)
  return (
    <span
      role="timer"
      className={`tabular flex items-center gap-2 max-lg:px-2 lg:flex-1 ${className} ${running ? 'font-strong' : 'text-quiet'}`}
    >
      <span className={`size-2 shrink-0 rounded-full ${running ? 'bg-done' : 'bg-inprogress'}`} aria-hidden />
      <span className="sr-only">{running ? 'Active:' : 'Paused:'}</span>
      {clockText(elapsedMs(timer, now))}
    </span>
  )
}

const Others = ({ timers, onGone }: { timers: Timer[]; onGone(): void }) => (
  <Popover
    trigger={
      <button
        type="button"
        aria-label={`${timers.length} more paused`}
        className="relative tabular h-control shrink-0 rounded-card px-1.5 text-quiet text-small hover:bg-hover hover:text-text max-sm:col-start-2 max-sm:row-start-1 max-sm:-my-1 max-sm:h-6 max-sm:min-w-6 max-sm:px-0.5"
      >
        +{timers.length}
      </button>
    }
  >
    <PopoverPanel label="Paused timers">
      <ul className="flex flex-col gap-2">
        {timers.map((timer) => (
          <li key={stableKey('entry', timer.id)} className="flex items-center gap-1">
            <TimerRow timer={timer} onGone={onGone} />
          </li>
        ))}
      </ul>
    </PopoverPanel>
  </Popover>
)

/** Asks about a long unconfirmed timer. Takes no focus, because the user may be typing. */
function StillWorking({ timer, onGone }: { timer: Timer; onGone(): void }) {
  const now = useNow(timer.status === 'ACTIVE')
  const { stop, form } = useStop(onGone)
  const isAsking = timer.status === 'ACTIVE' && isOverdue(timer, now)
  return (
    <>
      {isAsking && (
        <div className="flex flex-col gap-2 rounded-card bg-accent-soft p-3 text-small max-lg:order-last max-lg:mt-2 max-lg:basis-full">
          <p>
            {/* Only the question: screen readers would repeat the rest each minute. */}
            <span role="alert" className="font-strong">
              Still working?
            </span>{' '}
            This timer has been running for <span className="tabular">{durationText(roundedMinutes(elapsedMs(timer, now)))}</span>
            .
          </p>
          <p className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => void confirmTimer(timer)}>
              Yes, still working
            </Button>
            <Button size="small" onClick={() => stop(timer)}>
              Stop and adjust
            </Button>
          </p>
        </div>
      )}
      {form}
    </>
  )
}

/** The page's title after the running timer's time: "1:23 · Spring catalogue · wrk". */
export const PageTitle = memo(function PageTitle({ children }: { children: string }) {
  const running = useTimers().find(({ status }) => status === 'ACTIVE')
  const now = useNow(running !== undefined, TEN_SECONDS)
  const minutes = running ? wholeMinutes(elapsedMs(running, now)) : 0
  const clock = running ? `${clockOf(minutes)} · ` : ''
  return <title>{`${clock}${children} · wrk`}</title>
})

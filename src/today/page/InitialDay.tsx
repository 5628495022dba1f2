import type { Ref } from 'react'
import { weekdayOf } from '../../days'
import { durationText, numberText } from '../../format'
import { taskHash } from '../../tasks/page/taskUrl'
import type { Today } from '../schema'
import {
  GroupFrame,
  GroupsFrame,
  groupsOf,
  MORE_LOOK,
  NoTasks,
  NoTimer,
  Ring,
  SHOWN_AT_FIRST,
  TaskLine,
  TICK_LOOK,
  titleLook,
} from './TaskList'

type Props = { today: Today; viewerId: number; hasTimer: boolean }

/** In the server's HTML, as high as MyDay, which replaces it. */
export const InitialDay = ({ today, viewerId, hasTimer }: Props) => (
  <div className={DAY_GRID}>
    <TaskGroups today={today} viewerId={viewerId} />
    <section aria-label="My time" className={HOURS_LOOK}>
      {hasTimer && <TimerPlace />}
      <WeekHours days={today.week} day={today.day} bars={false} />
    </section>
  </div>
)

function TaskGroups({ today: { tasks, boards, day, more }, viewerId }: Omit<Props, 'hasTimer'>) {
  if (tasks.length === 0) return <NoTasks />
  const byId = new Map(boards.map((board) => [board.id, board]))
  return (
    <GroupsFrame more={more}>
      {groupsOf(tasks, day).map((one) => {
        const hidden = one.tasks.length - SHOWN_AT_FIRST
        return (
          <GroupFrame
            key={one.group}
            {...one}
            below={!one.folds && hidden > 0 && <span className={MORE_LOOK}>Show {numberText(hidden)} more</span>}
          >
            {one.tasks.slice(0, one.folds ? 0 : SHOWN_AT_FIRST).map((task) => (
              <TaskLine
                key={task.id}
                task={task}
                group={one.group}
                board={byId.get(task.boardId)}
                viewerId={viewerId}
                tick={
                  <span className={`${TICK_LOOK} ${task.status === 'done' ? '' : 'text-transparent'}`}>
                    <Ring status={task.status} />
                  </span>
                }
                title={
                  <a href={`/board/${task.boardId}#${taskHash(task.id)}`} dir="auto" className={titleLook(task)}>
                    {task.title}
                  </a>
                }
                timer={<NoTimer />}
              />
            ))}
          </GroupFrame>
        )
      })}
    </GroupsFrame>
  )
}

export const DAY_GRID = 'grid gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_18rem]'

const ROWS = ['w-48', 'w-64', 'w-40']

export const DayPlaceholder = () => (
  <div className={DAY_GRID}>
    <div className="flex flex-col">
      <span className="mb-2 h-4 w-20 rounded-card bg-edge/30" />
      {ROWS.map((width) => (
        <span key={width} className="flex h-11 items-center gap-3 pointer-coarse:h-13">
          <span className="size-[1.125rem] rounded-full bg-edge/30" />
          <span className={`h-4 rounded-card bg-edge/30 ${width}`} />
        </span>
      ))}
    </div>
    <div className="flex h-34 flex-col gap-10 xl:h-42">
      <span className="h-4 w-24 rounded-card bg-edge/30" />
      <span className="flex-1 rounded-card bg-column" />
    </div>
  </div>
)

export const HOURS_LOOK = 'flex min-w-0 flex-col gap-6 sm:max-xl:flex-row'
export const TIMER_LOOK = 'min-w-0 rounded-panel bg-surface shadow-card sm:max-xl:flex-1 sm:max-xl:self-start'
/** As high as the timer's name, clock and buttons. */
export const TimerPlace = () => <div data-timer-place className={`min-h-[calc(6.25rem+var(--spacing-icon))] p-4 ${TIMER_LOOK}`} />

const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const dayNameOf = (day: string) => DAY_NAMES[weekdayOf(day)]

/** No bars in the server's HTML, which may have no inline styles. */
type WeekHoursProps = { days: { day: string; minutes: number }[]; day: string; bars?: boolean; heading?: Ref<HTMLHeadingElement> }

export function WeekHours({ days, day, bars = true, heading }: WeekHoursProps) {
  const most = Math.max(1, ...days.map(({ minutes }) => minutes))
  const total = days.reduce((sum, { minutes }) => sum + minutes, 0)
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-3 sm:max-xl:max-w-[calc(50%-0.5rem)]">
      <div className="flex flex-col gap-1">
        <h2 ref={heading} tabIndex={-1} className="font-strong focus:outline-none">
          My time
        </h2>
        <p className="tabular flex justify-between gap-4 text-quiet">
          <span>{durationText(days.find((one) => one.day === day)?.minutes ?? 0)} today</span>
          <span>{durationText(total)} this week</span>
        </p>
      </div>
      <ol className="grid h-20 grid-cols-7 gap-1.5 xl:h-28">
        {days.map(({ day: one, minutes }) => (
          <li
            key={one}
            title={`${dayNameOf(one)}: ${durationText(minutes)}`}
            className="flex min-w-0 flex-col justify-end gap-1.5"
          >
            <span aria-hidden className="flex min-h-0 flex-1 flex-col justify-end rounded-chip bg-column">
              {bars && minutes > 0 && (
                <span
                  data-bar
                  className={`min-h-1 rounded-chip ${one === day ? 'bg-text' : 'bg-edge'}`}
                  style={{ height: `${(minutes / most) * 100}%` }}
                />
              )}
            </span>
            <span aria-hidden className={`text-center text-small ${one === day ? 'font-strong' : 'text-quiet'}`}>
              {dayNameOf(one)?.[0]}
            </span>
            <span className="sr-only">{`${dayNameOf(one)}: ${durationText(minutes)}`}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

import { Link } from '@tanstack/react-router'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type ReactNode, useState } from 'react'
import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { Ago } from '../../comments/page/Ago'
import { dayAt } from '../../days'
import { dayName, timeOfDay } from '../../format'
import { taskHash } from '../../tasks/page/taskUrl'
import { Avatar } from '../../users/page/Avatar'
import { displayName, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/Failure'
import { LoadingRows } from '../../web/ui/Spinner'
import type { Activity } from '../schema'
import { ActivitySentence, type Line, Quoted } from './ActivitySentence'
import { useFeed } from './cache'

type Props = {
  board: Board
  taskId?: number
  onLeave?(): void
}

export function Feed({ board, taskId, onLeave }: Props) {
  const { feed, error, isError, isFetching, retry, loadMore, isLoadingMore } = useFeed({ boardId: board.id, taskId })
  if (!feed && !isError) return <LoadingRows label="Loading activity" />
  if (!feed)
    return (
      <TryAgain busy={isFetching} retry={retry} error={error}>
        The activity could not be loaded.
      </TryAgain>
    )
  if (feed.activities.length === 0) return <p className="text-quiet">No activity yet.</p>
  const lines = groupActivities(feed.activities)
  return (
    <div className="flex flex-col gap-5">
      {taskId === undefined ? (
        groupByDay(lines).map(({ day, lines }) => (
          <section key={day} aria-label={dayName(day)} className="flex flex-col gap-3">
            <h3 className="sticky -top-1 z-10 bg-raised py-1 font-strong text-quiet text-small">{dayName(day)}</h3>
            <Lines
              board={board}
              lines={lines}
              taskOf={(line) => <TaskLink board={board} line={line} onLeave={onLeave} />}
              timeOf={(moment) => <Clock at={moment} />}
            />
          </section>
        ))
      ) : (
        <Lines board={board} lines={lines} taskOf={() => 'the task'} timeOf={(moment) => <Ago at={moment} />} />
      )}
      {feed.nextCursor !== null && (
        <Button size="small" className="self-start" busy={isLoadingMore} onClick={loadMore}>
          Load more
        </Button>
      )}
    </div>
  )
}

type LinesProps = { board: Board; lines: Line[]; taskOf(line: Line): ReactNode; timeOf(moment: string): ReactNode }

function Lines({ board, lines, taskOf, timeOf }: LinesProps) {
  const known = (user: UserSummary) => board.members.find(({ id }) => id === user.id) ?? user
  return (
    <ul className="flex flex-col gap-3.5">
      {lines.map((line) => (
        // Keyed by the oldest activity: newer ones join the line.
        <li key={line.at(-1)?.id} className="flex gap-3">
          <Avatar user={known(line[0].user)} className="mt-0.5" />
          <div className="min-w-0 flex-1">
            <p dir="auto" className="break-words">
              <bdi className="font-strong">{displayName(known(line[0].user))}</bdi>{' '}
              <ActivitySentence line={line} task={taskOf(line)} known={known} />
            </p>
            <p className="text-quiet text-small">{timeOf(line[0].createdAt)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

const Clock = ({ at }: { at: string }) => (
  <time dateTime={at} className="tabular">
    {timeOfDay(at)}
  </time>
)

function TaskLink({ board, line: [{ taskId, taskTitle }], onLeave }: { board: Board; line: Line; onLeave?(): void }) {
  const exists = useBoardView(board.id)?.tasks.some(({ id }) => id === taskId)
  const title = <Quoted text={taskTitle ?? ''} />
  if (!exists || taskId === null) return title
  return (
    <Link
      to="/board/$boardId"
      params={{ boardId: board.id }}
      hash={taskHash(taskId)}
      resetScroll={false}
      onClick={onLeave}
      className="underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {title}
    </Link>
  )
}

export function TaskActivity({ board, taskId }: { board: Board; taskId: number }) {
  const [open, setOpen] = useState(false)
  return (
    <section aria-labelledby="activity" className="flex flex-col gap-3">
      <h2 id="activity" className="font-strong">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="-ml-1 flex min-h-control items-center gap-1 rounded-card pr-2 text-quiet hover:text-text"
        >
          <ChevronRight className={`size-4 transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden />
          Activity
        </button>
      </h2>
      {open && <Feed board={board} taskId={taskId} />}
    </section>
  )
}

/** Changes of one user, kind and task within this time become one line. In milliseconds. */
const TOGETHER_WITHIN = 5 * 60_000

/** Groups activities, newest first, into lines; other changes of the same task may lie in between. */
export function groupActivities(activities: readonly Activity[]): Line[] {
  const lines: Line[] = []
  for (const one of activities) {
    const before = lines.findLastIndex(([newest]) => !isBySameHand(newest, one))
    const at = lines.findIndex(([newest], n) => n > before && belongTogether(newest, one))
    const line = lines[at]
    if (line) lines[at] = [...line, one]
    else lines.push([one])
  }
  return lines
}

const isBySameHand = (a: Activity, b: Activity) => a.user.id === b.user.id && a.taskId === b.taskId

const belongTogether = (a: Activity, b: Activity) =>
  a.kind === b.kind && didOf(a) === didOf(b) && Date.parse(a.createdAt) - Date.parse(b.createdAt) <= TOGETHER_WITHIN

const didOf = ({ detail }: Activity) => ('did' in detail ? detail.did : undefined)

export const groupByDay = (lines: readonly Line[]): { day: string; lines: Line[] }[] =>
  [...Map.groupBy(lines, ([newest]) => dayAt(new Date(newest.createdAt)))].map(([day, lines]) => ({ day, lines }))

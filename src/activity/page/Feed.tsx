import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { Ago } from '../../comments/page/Ago'
import { taskHash } from '../../tasks/page/address'
import { Avatar } from '../../users/page/Avatar'
import { displayName, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { LoadingRows } from '../../web/ui/Spinner'
import { TryAgain } from '../../web/ui/TryAgain'
import { dayName, groupByDay, type Line, linesOf, timeOfDay } from './display'
import { Quoted, Sentence } from './Sentence'
import { useFeed } from './useFeed'

type Props = {
  board: Board
  taskId?: number
  onLeave?(): void
}

export function Feed({ board, taskId, onLeave }: Props) {
  const { feed, error, isError, isFetching, retry, loadMore, isLoadingMore } = useFeed({ boardId: board.id, taskId })
  if (!feed && !isError) return <LoadingRows label="Loading activity" className="gap-3.5" />
  if (!feed)
    return (
      <TryAgain busy={isFetching} retry={retry} error={error}>
        The activity could not be loaded.
      </TryAgain>
    )
  if (feed.activities.length === 0) return <p className="text-quiet">Nothing has happened here yet.</p>
  const lines = linesOf(feed.activities)
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
        // The oldest activity is the key: newer ones join the line without making another of it.
        <li key={line.at(-1)?.id} className="flex gap-3">
          <Avatar user={known(line[0].user)} className="mt-0.5" />
          <div className="min-w-0 flex-1">
            <p dir="auto" className="break-words">
              <bdi className="font-strong">{displayName(known(line[0].user))}</bdi>{' '}
              <Sentence line={line} task={taskOf(line)} known={known} />
            </p>
            <p className="text-quiet text-small">{timeOf(line[0].createdAt)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** The time of day, for the heading above names the day. */
const Clock = ({ at }: { at: string }) => (
  <time dateTime={at} className="tabular">
    {timeOfDay(at)}
  </time>
)

/** The title at that time; a link while the task exists. */
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

import type { ReactNode } from 'react'
import type { Board } from '../../boards/schema'
import { STATUS_LABELS, STATUSES, type Status } from '../../tasks/limits'
import { CARD, CardContents, STATUS_STRIPS, timersByTask } from '../../tasks/page/CardContents'
import { FILTER_BAR, STATUS_COLORS } from '../../tasks/page/display'
import { taskHash } from '../../tasks/page/taskUrl'
import type { BoardTask, RunningTimer } from '../../tasks/schema'
import { preview } from '../../web/plainText'

export type InitialBoard = { board: Board; tasks: BoardTask[]; timers: RunningTimer[] }

const HEIGHTS = { todo: ['h-23', 'h-18', 'h-28', 'h-18'], inprogress: ['h-28', 'h-18'], done: ['h-18', 'h-23', 'h-18'] }
const LOADING = { role: 'status', 'aria-label': 'Loading board' }

/** Name and actions, then the description; on a phone the actions come last. */
export const HEADER =
  'relative grid grid-cols-[minmax(0,1fr)] items-center gap-x-3 px-4 pt-3 pb-3 sm:grid-cols-[minmax(0,1fr)_auto] md:px-6 lg:pt-4 folded:pb-2 short:pt-1'
export const DESCRIPTION = 'sm:col-span-2 folded:sm:mr-icon folded:sm:min-h-icon folded:sm:content-center'
export const ACTIONS = 'max-sm:mt-1 sm:col-start-2 sm:row-start-1'

/** The shape of a board, so that nothing jumps when it arrives. The server fills in the first cards. */
export const BoardSkeleton = ({ initial, locked = false }: { initial?: InitialBoard; locked?: boolean }) => (
  <div className={`flex min-h-0 flex-1 flex-col ${initial ? '' : 'waiting'}`} {...(initial ? { 'aria-busy': true } : LOADING)}>
    {locked && (
      <LockedNotice
        upgrade={(look) => (
          <a href="/subscribe" className={look}>
            Upgrade to Pro
          </a>
        )}
      />
    )}
    <div className={HEADER}>
      <div className="flex h-lh items-center text-page">
        {initial ? (
          <h1 dir="auto" className="truncate font-strong">
            {initial.board.name}
          </h1>
        ) : (
          <div className="h-5 w-48 rounded-card bg-edge/30" />
        )}
      </div>
      <div className={DESCRIPTION}>
        <div className="flex min-h-6 items-center">
          {initial ? (
            <p dir="auto" className="line-clamp-2 short:line-clamp-1 whitespace-pre-line break-words text-quiet">
              {preview(initial.board.description ?? '') || 'No description'}
            </p>
          ) : (
            <div className="h-3.5 w-72 max-w-full rounded-card bg-edge/30" />
          )}
        </div>
      </div>
      <div className={`h-icon ${ACTIONS}`} />
    </div>
    {initial?.tasks.length === 0 ? (
      <EmptyBoard locked={locked} />
    ) : (
      <div className={FILTER_BAR}>
        <div className="h-icon max-w-64 rounded-card bg-column" />
      </div>
    )}
    <div className="flex min-h-0 flex-1 gap-2 overflow-hidden px-4 pb-4 min-[46rem]:grid min-[46rem]:grid-cols-3 md:gap-3 md:px-6">
      {STATUSES.map((status) => (
        <div key={status} className="flex min-h-0 w-[88%] shrink-0 flex-col rounded-panel bg-column min-[46rem]:w-auto">
          <div className="flex items-center gap-2 px-5 pt-3 font-strong">
            <span className={`size-2 rounded-full ${STATUS_COLORS[status]}`} />
            {STATUS_LABELS[status]}
          </div>
          <div className="mb-12 flex min-h-0 flex-1 flex-col gap-2 overflow-hidden px-2 pt-2 [content-visibility:auto]">
            {initial ? (
              <Cards {...initial} status={status} />
            ) : (
              HEIGHTS[status].map((height, nth) => <Blank key={nth} height={height} />)
            )}
          </div>
        </div>
      ))}
    </div>
  </div>
)

/** Links, so that a click before the app has loaded opens the task. */
function Cards({ board, tasks, timers, status }: InitialBoard & { status: Status }) {
  const running = timersByTask(timers, board.members)
  return tasks
    .filter((task) => task.status === status)
    .map((task) => (
      <a key={task.id} href={`#${taskHash(task.id)}`} className={`block shrink-0 ${CARD} ${STATUS_STRIPS[status]}`}>
        <CardContents task={task} timers={running.get(task.id) ?? []} />
      </a>
    ))
}

export const LockedNotice = ({ upgrade }: { upgrade(look: string): ReactNode }) => (
  <p className="mx-4 mt-3 rounded-card bg-column px-3 py-2 md:mx-6" role="note">
    This board is read-only because the Free plan includes only the first board you created. You can still export or delete it.{' '}
    {upgrade('font-strong underline underline-offset-4')}
  </p>
)

const Blank = ({ height }: { height: string }) => (
  <div className={`flex shrink-0 flex-col rounded-card bg-surface p-3 shadow-card ${height}`}>
    <div className="h-3.5 w-3/5 rounded-card bg-edge/30" />
  </div>
)

const KEY = 'rounded-chip bg-column px-1.5 font-sans text-small'

/** Takes the place of the filters until there are tasks. */
export const EmptyBoard = ({ locked }: { locked: boolean }) => (
  <div className="box-content flex min-h-icon shrink-0 flex-wrap content-center gap-x-1 px-4 pb-3 text-quiet md:px-6 folded:order-last">
    {!locked && (
      <p>
        <span className="pointer-coarse:hidden">
          Press <kbd className={KEY}>c</kbd> to add the first task, <kbd className={KEY}>?</kbd> to see all shortcuts.
        </span>
        <span className="hidden pointer-coarse:inline">Use Add Task to create the first task.</span>
      </p>
    )}
    <p className="max-lg:hidden">Use Invite Members to bring in your team.</p>
  </div>
)

import { STATUS_LABELS, STATUSES } from '../../tasks/schema'

const HEIGHTS = { todo: ['h-23', 'h-18', 'h-28', 'h-18'], inprogress: ['h-28', 'h-18'], done: ['h-18', 'h-23', 'h-18'] }
const DOTS = { todo: 'bg-todo', inprogress: 'bg-inprogress', done: 'bg-done' }

/** The shape of a board, so that nothing jumps when it arrives. */
export const BoardSkeleton = () => (
  <div className="flex min-h-0 flex-1 flex-col" role="status" aria-label="Loading board">
    <div className="flex flex-col px-4 pt-3 pb-3 sm:px-6 lg:pt-4">
      <div className="flex h-[1.625rem] items-center">
        <div className="h-5 w-48 animate-pulse rounded-card bg-edge/30" />
      </div>
      <div className="flex h-6 items-center">
        <div className="h-3.5 w-72 max-w-full animate-pulse rounded-card bg-edge/30" />
      </div>
    </div>
    <div className="flex min-h-0 flex-1 gap-3 overflow-hidden px-4 pb-4 sm:px-6 md:grid md:grid-cols-3">
      {STATUSES.map((status) => (
        <div key={status} className="flex w-[88%] shrink-0 flex-col rounded-panel bg-column md:w-auto">
          <div className="flex items-center gap-2 px-3.5 pt-3 pb-1 font-strong">
            <span className={`size-2 rounded-full ${DOTS[status]}`} />
            {STATUS_LABELS[status]}
          </div>
          <div className="flex min-h-0 flex-col gap-2 overflow-hidden px-2 pt-1">
            {HEIGHTS[status].map((height, nth) => (
              <div key={nth} className={`flex shrink-0 flex-col rounded-card bg-surface p-3 shadow-card ${height}`}>
                <div className="h-3.5 w-3/5 animate-pulse rounded-card bg-edge/30" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  </div>
)

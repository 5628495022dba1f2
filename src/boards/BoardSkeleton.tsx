import { STATUS_LABELS, STATUSES } from '../tasks/inputs'

const HEIGHTS = { todo: [96, 72, 112, 72], inprogress: [112, 72], done: [72, 96, 72] }

/** In the shape of what comes, so that nothing jumps when it arrives. */
export const BoardSkeleton = () => (
  <div className="flex min-h-0 flex-1 flex-col" role="status" aria-label="Loading board">
    <div className="flex h-[4.5rem] flex-col justify-center gap-2 px-4 sm:px-6">
      <div className="h-5 w-48 animate-pulse rounded-card bg-hover" />
      <div className="h-4 w-72 max-w-full animate-pulse rounded-card bg-hover" />
    </div>
    <div className="grid min-h-0 flex-1 grid-cols-1 gap-3 px-4 pb-4 sm:px-6 md:grid-cols-3">
      {STATUSES.map((status) => (
        <div key={status} className="flex flex-col gap-2 rounded-panel bg-column p-2 max-md:not-first:hidden">
          <div className="px-1.5 py-1 font-strong text-quiet">{STATUS_LABELS[status]}</div>
          {HEIGHTS[status].map((height, nth) => (
            <div key={nth} className="animate-pulse rounded-card bg-surface" style={{ height }} />
          ))}
        </div>
      ))}
    </div>
  </div>
)

export const DASHBOARD = 'mx-auto flex max-w-6xl flex-col gap-8 px-4 py-6 sm:px-8 sm:py-10'
export const GRID = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3'
export const CARD = 'flex min-h-40 flex-col gap-1.5 rounded-panel p-4'
export const OPEN = `${CARD} bg-surface shadow-card`
/** Above the boards: what is to be done, and beside it the time. */
export const DAY = 'grid gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_18rem]'

export const Placeholders = () =>
  [1, 2, 3].map((nth) => (
    <li key={nth} className={OPEN}>
      <span className="h-5 w-1/2 animate-pulse rounded-card bg-edge/30" />
      <span className="h-4 w-5/6 animate-pulse rounded-card bg-edge/30" />
      <span className="mt-auto h-1 w-full animate-pulse rounded-full bg-edge/30" />
      <span className="mt-1 h-4 w-20 animate-pulse rounded-card bg-edge/30" />
    </li>
  ))

const ROWS = ['w-48', 'w-64', 'w-40', 'w-56']

export const DayPlaceholder = () => (
  <div className={DAY}>
    <div className="flex flex-col gap-1">
      <span className="mb-1 h-4 w-20 animate-pulse rounded-card bg-edge/30" />
      {ROWS.map((width) => (
        <span key={width} className="flex h-11 items-center gap-3">
          <span className="size-[1.125rem] animate-pulse rounded-full bg-edge/30" />
          <span className={`h-4 animate-pulse rounded-card bg-edge/30 ${width}`} />
        </span>
      ))}
    </div>
    <div className="flex h-36 flex-col gap-3">
      <span className="h-4 w-24 animate-pulse rounded-card bg-edge/30" />
      <span className="flex-1 animate-pulse rounded-card bg-edge/30" />
    </div>
  </div>
)

/** The shape of the dashboard, so that nothing jumps when it arrives. */
export const DashboardSkeleton = () => (
  <div className="flex-1 overflow-y-auto" role="status" aria-label="Loading">
    <div className={DASHBOARD}>
      <div className="flex h-14 flex-col justify-center gap-2">
        <span className="h-5 w-48 animate-pulse rounded-card bg-edge/30" />
        <span className="h-4 w-20 animate-pulse rounded-card bg-edge/30" />
      </div>
      <DayPlaceholder />
      <ul className={GRID}>
        <Placeholders />
      </ul>
    </div>
  </div>
)

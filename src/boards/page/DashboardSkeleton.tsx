export const DASHBOARD = 'mx-auto flex max-w-5xl flex-col gap-8 px-4 py-6 sm:px-8 sm:py-10'
export const GRID = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3'
export const CARD = 'flex min-h-28 flex-col gap-1.5 rounded-panel p-4 sm:h-36'
export const OPEN = `${CARD} bg-surface shadow-card`

export const Placeholders = () =>
  [1, 2, 3].map((nth) => (
    <li key={nth} className={OPEN}>
      <span className="h-5 w-1/2 animate-pulse rounded-card bg-edge/30" />
      <span className="h-4 w-5/6 animate-pulse rounded-card bg-edge/30" />
      <span className="mt-auto h-4 w-20 animate-pulse rounded-card bg-edge/30" />
    </li>
  ))

/** The shape of the dashboard, so that nothing jumps when it arrives. */
export const DashboardSkeleton = () => (
  <div className="flex-1 overflow-y-auto" role="status" aria-label="Loading">
    <div className={DASHBOARD}>
      <div className="flex h-14 flex-col justify-center gap-2">
        <span className="h-5 w-48 animate-pulse rounded-card bg-edge/30" />
        <span className="h-4 w-20 animate-pulse rounded-card bg-edge/30" />
      </div>
      <ul className={GRID}>
        <Placeholders />
      </ul>
    </div>
  </div>
)

const ROWS = ['w-40', 'w-56', 'w-32', 'w-48', 'w-36']

export const SheetSkeleton = () => (
  <div role="status" aria-label="Loading your time" className="flex flex-col gap-3 pt-10">
    {ROWS.map((width) => (
      <div key={width} className={`h-4 animate-pulse rounded-card bg-edge/30 ${width}`} />
    ))}
  </div>
)

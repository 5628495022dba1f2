/** Above the boards: what is to be done, and beside it the time. */
export const DAY = 'grid gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_18rem]'

const ROWS = ['w-48', 'w-64', 'w-40', 'w-56']

/** Where neither the server nor the page knows the day yet. */
export const DayPlaceholder = () => (
  <div className={DAY}>
    <div className="flex flex-col gap-1">
      <span className="mb-1 h-4 w-20 rounded-card bg-edge/30" />
      {ROWS.map((width) => (
        <span key={width} className="flex h-11 items-center gap-3">
          <span className="size-[1.125rem] rounded-full bg-edge/30" />
          <span className={`h-4 rounded-card bg-edge/30 ${width}`} />
        </span>
      ))}
    </div>
    <div className="flex h-36 flex-col gap-3">
      <span className="h-4 w-24 rounded-card bg-edge/30" />
      <span className="flex-1 border-line border-b" />
    </div>
  </div>
)

type Props = { label: string; done: number; total: number }

/** Without a total yet, it says only that there is something to wait for. */
export const ProgressBar = ({ label, done, total }: Props) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    {...(total > 0 && { 'aria-valuenow': percentOf(done, total) })}
    className="h-1.5 w-full overflow-hidden rounded-full bg-line"
  >
    <div
      className="h-full origin-left bg-text transition-transform duration-150"
      style={{ transform: `scaleX(${percentOf(done, total) / 100})` }}
    />
  </div>
)

export const percentOf = (done: number, total: number): number =>
  total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 0

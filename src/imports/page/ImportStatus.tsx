import { Link } from '@tanstack/react-router'
import type { ListedImport } from '../schema'
import { useImports } from './cache'

export function ImportStatus() {
  const imports = useImports().data?.filter(({ state }) => state === 'running' || state === 'failed') ?? []
  return imports.length > 0 && <ImportLine imports={imports} />
}

const LINK = 'rounded-card text-text underline underline-offset-4'

/** In the dashboard's plan line, where it shifts nothing. */
function ImportLine({ imports: [first, ...others] }: { imports: ListedImport[] }) {
  if (!first) return null
  return (
    <section aria-label="Imports" className="flex min-w-0 items-center gap-2 whitespace-nowrap">
      <span aria-hidden>·</span>
      {first.state === 'failed' ? 'Not imported: ' : 'Importing '}
      <Link to="/import" search={{ id: first.id }} className={`min-w-0 truncate ${LINK}`}>
        <bdi>{first.name}</bdi>
      </Link>
      {first.state === 'running' && (
        <>
          <div className="w-12 shrink-0 sm:w-40">
            <ProgressBar label={`Importing ${first.name}`} done={first.done} total={first.total} />
          </div>
          <span className="tabular text-small">{percentOf(first.done, first.total)}%</span>
        </>
      )}
      {others.length > 0 && (
        <Link to="/import" className={LINK}>
          {others.length} more
        </Link>
      )}
    </section>
  )
}

type Props = { label: string; done: number; total: number }

/** Indeterminate until there is a total. */
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

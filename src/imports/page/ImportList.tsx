import { Link } from '@tanstack/react-router'
import { type ListedImport, SOURCES } from '../schema'
import { isRunning } from './cache'
import { keptUntil } from './display'
import { ProgressBar, percentOf } from './ProgressBar'

/** What one has uploaded, and what became of it. */
export const ImportList = ({ imports }: { imports: ListedImport[] }) => (
  <ul aria-label="Your imports" className="flex flex-col divide-y divide-line rounded-card bg-column px-4">
    {imports.map((one) => (
      <li key={one.id}>
        <Link
          to="/import"
          search={{ id: one.id }}
          className="item flex flex-wrap items-center gap-x-4 gap-y-1 rounded-card py-3 focus-visible:-outline-offset-2"
        >
          <span className="min-w-0 flex-1 basis-52">
            <bdi className="wrap-anywhere font-strong pointed:underline">{one.name}</bdi>
            <span className="wrap-anywhere block text-quiet text-small">
              {SOURCES[one.source]} · <bdi>{one.fileName}</bdi>
            </span>
          </span>
          <span className={`tabular text-small ${one.state === 'failed' ? 'text-danger' : 'text-quiet'}`}>{stateText(one)}</span>
          {isRunning(one) && (
            <span className="w-full">
              <ProgressBar label={`Importing ${one.name}`} done={one.done} total={one.total} />
            </span>
          )}
        </Link>
      </li>
    ))}
  </ul>
)

function stateText({ state, done, total, createdAt }: ListedImport): string {
  if (state === 'running') return `${percentOf(done, total)} %`
  if (state === 'ready') return `Not written yet, kept until ${keptUntil(createdAt)}`
  return state === 'done' ? 'Imported' : 'Not imported'
}

import { Link } from '@tanstack/react-router'
import type { ListedImport } from '../schema'
import { ProgressBar, percentOf } from './ProgressBar'

/** On the dashboard, while there is something to wait for or to look at. */
export const ImportLine = ({ imports }: { imports: ListedImport[] }) => (
  <ul aria-label="Imports" className="-mb-2 flex flex-col gap-2">
    {imports.map((one) => (
      <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-quiet">
        <p className="min-w-0">
          {one.state === 'failed' ? 'Not imported: ' : 'Importing '}
          <Link
            to="/import"
            search={{ id: one.id }}
            className="wrap-anywhere rounded-card text-text underline underline-offset-4"
          >
            <bdi>{one.name}</bdi>
          </Link>
        </p>
        {one.state === 'running' && (
          <>
            <div className="w-40">
              <ProgressBar label={`Importing ${one.name}`} done={one.done} total={one.total} />
            </div>
            <span className="tabular text-small">{percentOf(one.done, one.total)} %</span>
          </>
        )}
      </li>
    ))}
  </ul>
)

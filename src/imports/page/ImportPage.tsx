import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PageTitle } from '../../time/page/HeaderTimer'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'
import { TryAgain } from '../../web/ui/Failure'
import { PageHeader, Section } from '../../web/ui/Section'
import { type BoardImport, type ImportSource, type ListedImport, SOURCES } from '../schema'
import { isRunning, useImport, useImports } from './cache'
import { DropArea } from './DropArea'
import { ProgressBar, percentOf } from './ImportStatus'
import { focusIfLost, keptUntil, OneImport } from './OneImport'
import { PlankaForm } from './PlankaForm'

export function ImportPage() {
  const { id } = useSearch({ from: '/import' })
  const navigate = useNavigate({ from: '/import' })
  const list = useImports()
  const imports = list.data
  const listed = imports?.find((known) => known.id === id)
  const opened = useImport(listed)
  const one = listed && opened.data
  const isGone = id !== undefined && imports && (!listed || refusalOf(opened.error)?.code === 'NOT_FOUND')
  const failed = list.isError ? list : !isGone && opened.isError ? opened : undefined
  const [firstId] = useState(id)
  const [isCome, setIsCome] = useState(false)
  if (id !== firstId && !isCome) setIsCome(true)
  const show = (shown?: number) => void navigate({ search: shown === undefined ? {} : { id: shown } })
  return (
    <div className="page scroll-pb-20 *:max-w-160">
      <PageTitle>Import</PageTitle>
      {failed && (
        <TryAgain busy={failed.isFetching} retry={() => void failed.refetch()} error={failed.error}>
          Your imports could not be loaded.
        </TryAgain>
      )}
      {id === undefined ? (
        <>
          <PageHeader
            title={
              <h1 ref={isCome ? focusIfLost : undefined} tabIndex={-1} className="font-strong focus:outline-none">
                Import a board
              </h1>
            }
            text={<p className="text-pretty text-quiet">From another app, or from a wrk archive.</p>}
          />
          <article className="flex flex-col gap-6 rounded-panel bg-surface p-5 shadow-card sm:p-8">
            {imports && imports.length > 0 && <ImportList imports={imports} />}
            <WaysIn onRead={(made) => show(made.id)} />
          </article>
        </>
      ) : one && !isGone ? (
        <OneImport key={id} one={one} isCome={isCome} onLeave={() => show()} />
      ) : (
        <PageHeader
          title={isGone ? <h1 className="font-strong">This import no longer exists</h1> : <h1 className="sr-only">Import</h1>}
          text={
            isGone && (
              <p className="text-pretty text-quiet">
                It was cancelled or has expired. Boards it already imported are still there.
              </p>
            )
          }
        >
          <Button onClick={() => show()}>All imports</Button>
        </PageHeader>
      )}
    </div>
  )
}

const ImportList = ({ imports }: { imports: ListedImport[] }) => (
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

function stateText(one: ListedImport): string {
  const { state, done, total } = one
  if (state === 'running') return `${percentOf(done, total)}%`
  if (state === 'ready') return `Not imported yet, kept until ${keptUntil(one)}`
  return state === 'done' ? 'Imported' : 'Not imported'
}

const WHERE: Record<ImportSource, string> = {
  trello: 'The board’s menu → Print, export, and share → Export as JSON',
  planka: 'With its address and an API key, which an administrator creates under Administration → Users → API Key',
  wekan: 'Board Settings → Export → Export board to JSON',
  toggl: 'Reports → Detailed → Export → CSV',
  clockify: 'Reports → Detailed → Export → Save as CSV',
  harvest: 'Reports → Detailed Time → Export → CSV',
  csv: 'Any spreadsheet saved as CSV, with column names in the first row, such as Title, Status, Due date, Tags',
  wrk: 'The board’s menu → Export board (creators only). Members are imported by name only',
}

const ORDER = ['trello', 'planka', 'wekan', 'toggl', 'clockify', 'harvest', 'csv', 'wrk'] as const

function WaysIn({ onRead }: { onRead(made: BoardImport): void }) {
  const [asksPlanka, setAsksPlanka] = useState(false)
  return (
    <>
      <DropArea onRead={onRead} />
      <Section
        title="What can be imported"
        text="Before anything is saved, you see a preview that also lists what cannot be imported."
      >
        <ul className="flex flex-col divide-y divide-line" aria-label="What can be imported">
          {ORDER.map((source) => (
            <li key={source} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
              <span className="w-28 shrink-0 font-strong">{SOURCES[source]}</span>
              <span className="min-w-0 flex-1 basis-60 text-pretty text-quiet">{WHERE[source]}</span>
              {source === 'planka' && (
                <Button size="small" onClick={() => setAsksPlanka(true)}>
                  Connect to Planka
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Section>
      <Dialog
        open={asksPlanka}
        onOpenChange={setAsksPlanka}
        title="Import from Planka"
        description="The key is used to read the board and is never stored."
        keep
      >
        <PlankaForm
          onRead={(made) => {
            setAsksPlanka(false)
            onRead(made)
          }}
        />
      </Dialog>
    </>
  )
}

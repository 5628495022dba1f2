import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sizeText } from '../../attachments/page/display'
import { dateTimeText } from '../../tasks/page/display'
import { client } from '../../web/client'
import { TryAgain } from '../../web/ui/TryAgain'
import type { State } from '../schema'
import { stateKey } from './cache'
import { FailedMails } from './FailedMails'
import { TestMail } from './TestMail'

/** What fails, or may. */
export function ServerState() {
  const { data, error, isError, isFetching, refetch } = useQuery({
    queryKey: stateKey,
    queryFn: () => client.operator.state.query(),
    staleTime: 0,
  })
  return (
    <div className="flex flex-col gap-8">
      {isError && (
        <TryAgain busy={isFetching} retry={() => void refetch()} error={error}>
          This could not be read.
        </TryAgain>
      )}
      {!data && !isError && <div className="h-40" aria-busy />}
      {data && <Facts state={data} />}
      <Part title="Try a mail">
        <TestMail />
      </Part>
      <Part title="Mails that failed">
        <FailedMails count={data?.mailsFailed ?? 0} />
      </Part>
    </div>
  )
}

const Facts = ({ state }: { state: State }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-3 [&>dt]:text-quiet">
    <dt>Database</dt>
    <dd>{state.database === 'embedded' ? 'Embedded' : 'A Postgres server'}</dd>
    <dt>Disk</dt>
    <dd>
      {state.disk ? `${gigabytes(state.disk.free)} of ${gigabytes(state.disk.size)} free` : 'Not known'}
      {state.tooLargeToErase && (
        <Bad>{`. Too little to copy ${state.tooLargeToErase}: what was deleted from it stays on the disk`}</Bad>
      )}
    </dd>
    <dt>Changes</dt>
    <dd>{state.changesRefused ? <Bad>Refused: the disk is nearly full</Bad> : 'Accepted'}</dd>
    <dt>Files</dt>
    <dd>{state.filesRefused ? <Bad>Refused: there is no room for more</Bad> : 'Accepted'}</dd>
    <dt>Mails</dt>
    <dd className="tabular">
      {!state.mailServer && <Bad>No mail server is set up, so mails reach nobody: set SMTP_URL and MAIL_FROM. </Bad>}
      {state.mailsWaiting} waiting, {state.mailsFailed > 0 ? <Bad>{`${state.mailsFailed} failed`}</Bad> : 'none failed'}
    </dd>
    <dt>Last backup</dt>
    <dd>
      {state.lastBackup ? dateTimeText(state.lastBackup) : 'None yet'}
      {state.backupError && <Bad>{`. The latest failed: ${state.backupError}`}</Bad>}
    </dd>
  </dl>
)

const GB = 2 ** 30
const gigabytes = (bytes: number) => (bytes < GB ? sizeText(bytes) : `${(bytes / GB).toFixed(1)} GB`)

const Bad = ({ children }: { children: string }) => <span className="font-strong text-danger">{children}</span>

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-3 border-line border-t pt-6">
    <h2 className="font-strong">{title}</h2>
    {children}
  </section>
)

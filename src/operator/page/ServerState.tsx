import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sizeText } from '../../attachments/page/display'
import { dateTimeText } from '../../format'
import { useViewer } from '../../users/page/viewer'
import { client } from '../../web/client'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/Failure'
import { Field, Input } from '../../web/ui/Field'
import { useFields, useForm } from '../../web/useForm'
import { type FailedMail, type State, testMail } from '../schema'
import { Listing, RowText } from './Listing'
import { stateKey, useOperatorChange } from './operatorCalls'

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
          This could not be loaded.
        </TryAgain>
      )}
      {!data && !isError && <div className="skeleton h-40" aria-busy />}
      {data && <Facts state={data} />}
      <StateSection title="Test email">
        <TestMailForm />
      </StateSection>
      <StateSection title="Failed emails">
        <FailedMails count={data?.mailsFailed ?? 0} />
      </StateSection>
    </div>
  )
}

const Facts = ({ state }: { state: State }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-3 [&>dt]:text-quiet">
    <dt>Database</dt>
    <dd>{state.database === 'embedded' ? 'Embedded' : 'A Postgres server'}</dd>
    <dt>Disk</dt>
    <dd>
      {state.disk ? `${gigabytes(state.disk.free)} of ${gigabytes(state.disk.size)} free` : 'Unknown'}
      {state.tooLargeToErase && (
        <Warning>{`. Not enough to rewrite the table ${state.tooLargeToErase}, so deleted data stays on disk`}</Warning>
      )}
    </dd>
    <dt>Changes</dt>
    <dd>{state.changesRefused ? <Warning>Refused: the disk is nearly full</Warning> : 'Accepted'}</dd>
    <dt>Files</dt>
    <dd>{state.filesRefused ? <Warning>Refused: no space left</Warning> : 'Accepted'}</dd>
    <dt>Emails</dt>
    <dd className="tabular">
      {!state.mailServer && <Warning>No mail server is set up, so nobody gets email. Set SMTP_URL and MAIL_FROM. </Warning>}
      {state.mailsWaiting} waiting, {state.mailsFailed > 0 ? <Warning>{`${state.mailsFailed} failed`}</Warning> : '0 failed'}
    </dd>
    <dt>Last backup</dt>
    <dd>
      {state.lastBackup ? dateTimeText(state.lastBackup) : 'None yet'}
      {state.backupError && <Warning>{`. The latest attempt failed: ${state.backupError}`}</Warning>}
    </dd>
  </dl>
)

const GB = 2 ** 30
const gigabytes = (bytes: number) => (bytes < GB ? sizeText(bytes) : `${(bytes / GB).toFixed(1)} GB`)

const Warning = ({ children }: { children: string }) => <span className="font-strong text-danger">{children}</span>

const StateSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-3 border-line border-t pt-6">
    <h2 className="font-strong">{title}</h2>
    {children}
  </section>
)

function TestMailForm() {
  const { email } = useViewer()
  const test = useOperatorChange(
    (to: string) => client.operator.testMail.mutate({ to }),
    () => null,
  )
  const form = useForm(useFields({ to: email }), { schema: testMail })
  return (
    <form
      noValidate
      className="flex max-w-sm flex-col gap-3"
      onSubmit={form.submit(({ to }) =>
        test.mutateAsync(to).then(
          () => {},
          () => {},
        ),
      )}
    >
      <Field label="Send one to" error={form.errors.to}>
        {(tied) => <Input {...tied} {...form.text('to')} type="email" autoComplete="off" />}
      </Field>
      <Button type="submit" className="self-start" busy={test.isPending}>
        Send test email
      </Button>
      <p role="status" className={`wrap-anywhere empty:hidden ${test.data?.sent === false ? 'text-danger' : 'text-quiet'}`}>
        {test.data && !test.isPending && `${test.data.sent ? 'Sent' : 'Not sent'}. ${test.data.answer}`}
      </p>
    </form>
  )
}

function FailedMails({ count }: { count: number }) {
  const retryAll = useOperatorChange(() => client.operator.retryMails.mutate(), resentText)
  return (
    <>
      <p className="text-pretty text-quiet">
        We try five times within an hour. You can resend a failed email for a day; it is listed here for two weeks.
      </p>
      {count > 0 && (
        <Button className="self-start" busy={retryAll.isPending} onClick={() => retryAll.mutate(undefined)}>
          Resend all
        </Button>
      )}
      <Listing name="mails" empty="No failed emails." read={(given) => client.operator.mails.query(given)}>
        {(mail) => <MailRow mail={mail} />}
      </Listing>
    </>
  )
}

function MailRow({ mail: { id, to, error, createdAt, mayRetry } }: { mail: FailedMail }) {
  const retry = useOperatorChange(() => client.operator.retryMail.mutate({ mailId: id }), resentText)
  return (
    <>
      <RowText title={to} text={error ?? 'Unknown reason.'} facts={dateTimeText(createdAt)} />
      <Button
        size="small"
        disabled={!mayRetry}
        busy={retry.isPending}
        onClick={() => retry.mutate(undefined)}
        aria-label={`Resend the email to ${to}`}
      >
        Resend
      </Button>
    </>
  )
}

const resentText = ({ mails }: { mails: number }) => ({
  title: mails === 1 ? 'Email Resent' : `${mails} Emails Resent`,
})

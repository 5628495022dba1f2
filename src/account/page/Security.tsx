import Bowser from 'bowser'
import Download from 'lucide-react/icons/download'
import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import { OwnPassword } from '../../auth/page/CredentialFields'
import { useServerOptions } from '../../auth/page/cache'
import { useForgotPassword } from '../../auth/page/signIn'
import { dateTimeText } from '../../format'
import { useViewer } from '../../users/page/viewer'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/Failure'
import { Field, Input } from '../../web/ui/Field'
import { useKeptPlace } from '../../web/ui/focus'
import { Section } from '../../web/ui/Section'
import { useFields, useForm } from '../../web/useForm'
import {
  emailChange,
  OPERATOR_ACT_DAYS,
  type OpenSession,
  type OperatorAct,
  type Security as SecurityInfo,
  WRONG_PASSWORD,
} from '../schema'
import { useChangeEmail, useEndOtherSessions, useEndSession, useSecurity } from './cache'
import { DeleteAccount } from './DeleteAccount'
import { PasswordFields } from './NewPassword'

export function Security() {
  const { data, error, isError, refetch } = useSecurity()
  const passwords = useServerOptions()?.passwords !== false
  if (isError && !data) return <LoadFailed retry={() => void refetch()} error={error} />
  if (!data) return <div className="skeleton h-96" aria-busy />
  return (
    <div className="flex flex-col gap-8 [&>section:first-of-type]:border-t-0 [&>section:first-of-type]:pt-0">
      <h2 className="sr-only">Sign-in & security</h2>
      {passwords && (
        <>
          <Section title="Email">
            <EmailFields security={data} />
          </Section>
          <Section title="Password">
            <Password security={data} />
          </Section>
        </>
      )}
      <Section title="Where you are signed in">
        <Sessions sessions={data.sessions} acts={data.operatorActs} />
      </Section>
      {data.operatorActs.length > 0 && (
        <Section
          title="Operator activity"
          text={`What operators did to your account in the last ${OPERATOR_ACT_DAYS} days. If you did not request this, set a new password, log out everywhere else, and contact the operator.`}
        >
          <OperatorActs acts={data.operatorActs} />
        </Section>
      )}
      <Section title="Your data" text="Your profile, boards, tasks, comments, time and attached files as one ZIP archive.">
        <Button asChild className="self-start">
          <a href="/api/account/archive" download>
            <Download className="size-4" aria-hidden />
            Download your data
          </a>
        </Button>
      </Section>
      <Section
        title="Delete account"
        text="Deletes your account right away. You can hand your boards over to other members first."
      >
        <DeleteAccount security={data} />
      </Section>
    </div>
  )
}

function Password({ security }: { security: SecurityInfo }) {
  const { username } = useViewer()
  if (!security.hasPassword && security.needsCurrentPassword) return <NoPassword />
  return (
    <PasswordFields
      key={String(security.needsCurrentPassword)}
      username={username}
      withCurrent={security.needsCurrentPassword}
      onDone={() => {}}
    >
      {(busy) => (
        <Button type="submit" busy={busy} className="self-start">
          Change password
        </Button>
      )}
    </PasswordFields>
  )
}

function NoPassword() {
  const { email } = useViewer()
  const forgot = useForgotPassword()
  return (
    <>
      <p className="text-pretty text-quiet">You have no password yet. We can email you a link to set one.</p>
      <Button className="self-start" busy={forgot.busy} onClick={() => void forgot.run({ email, remember: false })}>
        Email me a link
      </Button>
    </>
  )
}

function EmailFields({ security }: { security: SecurityInfo }) {
  const { email, username } = useViewer()
  const change = useChangeEmail()
  const form = useForm(useFields({ email: '', password: '' }), { schema: emailChange })
  const submit = form.submit(({ email, password }) =>
    change.mutate(security.hasPassword ? { email, password } : { email }, {
      onSuccess: () => form.discard(),
      onError: (error) => {
        const refusal = refusalOf(error)
        if (refusal?.message === WRONG_PASSWORD) form.refuse({ password: refusal.message })
        else if (refusal?.code === 'FORBIDDEN' || refusal?.code === 'BAD_REQUEST') form.refuse({ email: refusal.message })
      },
    }),
  )
  return (
    <>
      <p className="wrap-anywhere text-quiet">
        Your email is <bdi className="text-text">{email}</bdi>.
      </p>
      {security.mayDelete ? (
        <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
          <input type="text" value={username} autoComplete="username" readOnly hidden />
          <Field
            label="New email"
            error={form.errors.email}
            hint="Nothing changes until you open the link we email to the new address"
          >
            {(tied) => <Input {...tied} {...form.text('email')} type="email" autoComplete="email" />}
          </Field>
          {security.hasPassword && <OwnPassword error={form.errors.password} {...form.text('password')} />}
          <Button type="submit" busy={change.isPending} className="self-start">
            Change email
          </Button>
        </form>
      ) : (
        <p role="note" className="rounded-card bg-column px-3 py-2">
          To change it, log out, log in again and come back within 15 minutes.
        </p>
      )}
    </>
  )
}

function Sessions({ sessions, acts }: { sessions: OpenSession[]; acts: OperatorAct[] }) {
  const endOthers = useEndOtherSessions()
  const { list, watched } = useKeptPlace(sessions)
  return (
    <>
      <ul ref={list} {...watched} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {sessions.map((session) => (
          <Row key={session.id} session={session} act={acts.find(({ id }) => id === session.operatorActId)} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button className="self-start" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          Log out everywhere else
        </Button>
      )}
    </>
  )
}

type RowProps = { session: OpenSession; act: OperatorAct | undefined }

function Row({ session: { id, current, userAgent, createdAt, lastSeenAt }, act }: RowProps) {
  const end = useEndSession()
  const { name, isPhone } = deviceOf(userAgent)
  const Icon = isPhone ? Smartphone : Monitor
  return (
    <li className="flex items-start gap-3">
      <Icon className="mt-0.5 size-4 shrink-0 text-quiet" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="break-words">
          {name}
          {current && <span className="ml-2 rounded-chip bg-column px-1.5 text-quiet text-small">This browser</span>}
        </p>
        <p className="tabular text-quiet text-small">
          Signed in {dateTimeText(createdAt)}
          {!current && `, last seen ${dateTimeText(lastSeenAt)}`}
        </p>
        {act && <p className="wrap-anywhere text-danger text-small">{startedBy(act)}</p>}
      </div>
      {!current && (
        <Button
          size="small"
          data-ignore-second-press
          busy={end.isPending}
          onClick={() => end.mutate(id)}
          aria-label={`Log out ${name}`}
        >
          Log out
        </Button>
      )}
    </li>
  )
}

function deviceOf(userAgent: string | null): { name: string; isPhone: boolean } {
  if (!userAgent) return { name: 'Unknown browser or app', isPhone: false }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const known = [browser.name, os.name].filter(Boolean).join(' on ')
  return { name: known || userAgent.slice(0, 40), isPhone: platform.type === 'mobile' }
}

const DID: Record<OperatorAct['did'], string> = {
  made_link: 'created a link for signing in to your account and setting a new password.',
  link_used: 'created a link that someone then used to sign in.',
  changed_email: 'changed your email.',
  email_used: 'changed your account’s email, and someone signed in with the new one.',
  proved_email: 'confirmed your email.',
}

const operatorText = ({ by }: Pick<OperatorAct, 'by'>) =>
  by === null ? 'someone with access to the server' : `${by}, an operator,`

const startedBy = (act: OperatorAct) =>
  act.did === 'email_used'
    ? `Signed in with the email that ${operatorText(act)} set for your account`
    : `Signed in with a link that ${operatorText(act)} created`

const OperatorActs = ({ acts }: { acts: OperatorAct[] }) => (
  <ul className="flex flex-col gap-3">
    {acts.map((act) => (
      <li key={act.id}>
        <p className={`wrap-anywhere ${act.by === null ? 'first-letter:uppercase' : ''}`}>
          {operatorText(act)} {DID[act.did]}
        </p>
        <p className="tabular text-quiet text-small">{dateTimeText(act.createdAt)}</p>
      </li>
    ))}
  </ul>
)

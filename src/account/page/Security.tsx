import { Download } from 'lucide-react'
import { useServerOptions, useViewer } from '../../auth/page/cache'
import { useForgotPassword } from '../../auth/page/signIn'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/LoadFailed'
import { Section } from '../../web/ui/Section'
import { OPERATOR_ACT_DAYS, type Security as SecurityInfo } from '../schema'
import { useSecurity } from './cache'
import { DeleteAccount } from './DeleteAccount'
import { EmailFields } from './EmailFields'
import { OperatorActs } from './OperatorActs'
import { PasswordFields } from './PasswordFields'
import { Sessions } from './Sessions'

export function Security() {
  const { data, error, isError, refetch } = useSecurity()
  const passwords = useServerOptions()?.passwords !== false
  if (isError && !data) return <LoadFailed retry={() => void refetch()} error={error} />
  if (!data) return <div className="h-96" aria-busy />
  return (
    <div className="flex flex-col gap-8 [&>section:first-of-type]:border-t-0 [&>section:first-of-type]:pt-0">
      <h1 className="sr-only">Sign-in & security</h1>
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
          title="What operators did"
          text={`Shown for ${OPERATOR_ACT_DAYS} days. If you did not ask for it, set a new password, sign out everywhere else, and ask the operator why.`}
        >
          <OperatorActs acts={data.operatorActs} />
        </Section>
      )}
      <Section
        title="Your data"
        text="Your profile, boards, tasks, comments and time as one archive (ZIP), with the files that you attached."
      >
        <Button asChild className="self-start">
          <a href="/api/account/archive" download>
            <Download className="size-4" aria-hidden />
            Download Your Data
          </a>
        </Button>
      </Section>
      <Section
        title="Delete account"
        text="Ends your account at once. You can hand over the boards that you created to others on them."
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
          Change Password
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
      <p className="text-pretty text-quiet">You have no password yet. A link by mail lets you set one.</p>
      <Button className="self-start" busy={forgot.busy} onClick={() => void forgot.run({ email, remember: false })}>
        Email Me a Link
      </Button>
    </>
  )
}

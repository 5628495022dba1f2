import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useServerOptions, useViewer } from '../../auth/page/cache'
import { useForgotPassword } from '../../auth/page/signIn'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/LoadFailed'
import type { Security as SecurityInfo } from '../schema'
import { useSecurity } from './cache'
import { DeleteAccount } from './DeleteAccount'
import { EmailFields } from './EmailFields'
import { PasswordFields } from './PasswordFields'
import { Sessions } from './Sessions'

export function Security() {
  const { data, error, isError, refetch } = useSecurity()
  const passwords = useServerOptions()?.passwords !== false
  if (isError && !data) return <LoadFailed retry={() => void refetch()} error={error} />
  if (!data) return <div className="h-96" aria-busy />
  return (
    <div className="flex flex-col gap-8">
      <h1 className="sr-only">Sign-in & security</h1>
      {passwords && (
        <>
          <Part title="Email">
            <EmailFields security={data} />
          </Part>
          <Part title="Password">
            <Password security={data} />
          </Part>
        </>
      )}
      <Part title="Where you are signed in">
        <Sessions sessions={data.sessions} />
      </Part>
      <Part
        title="Your data"
        text="Your profile, boards, tasks, comments and time as one JSON file, with the names and addresses of your files."
      >
        <Button asChild className="self-start">
          <a href="/api/account/data" download>
            <Download className="size-4" aria-hidden />
            Download Your Data
          </a>
        </Button>
      </Part>
      <Part
        title="Delete account"
        text="Ends your account at once. You can hand over the boards that you created to others on them."
      >
        <DeleteAccount security={data} />
      </Part>
    </div>
  )
}

const Part = ({ title, text, children }: { title: string; text?: string; children: ReactNode }) => (
  <section
    aria-label={title}
    className="flex flex-col gap-3 border-line border-t pt-6 first-of-type:border-t-0 first-of-type:pt-0"
  >
    <div className="flex flex-col gap-0.5">
      <h2 className="font-strong">{title}</h2>
      {text && <p className="text-pretty text-quiet">{text}</p>}
    </div>
    {children}
  </section>
)

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
      <Button className="self-start" busy={forgot.busy} onClick={() => void forgot.run({ email, remember: true })}>
        Email Me a Link
      </Button>
    </>
  )
}

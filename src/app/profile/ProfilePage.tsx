import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router'
import KeyRound from 'lucide-react/icons/key-round'
import Mail from 'lucide-react/icons/mail'
import { type ReactNode, useState } from 'react'
import { ManageAccess } from '../../boards/page/ManageAccess'
import { PageTitle } from '../../time/page/HeaderTimer'
import { Avatar } from '../../users/page/Avatar'
import { useProfile } from '../../users/page/cache'
import { ProfileDetails } from '../../users/page/ProfileDetails'
import { useViewer } from '../../users/page/viewer'
import { displayName, type OwnUser, type Profile, type UserSummary, username as usernameRule } from '../../users/schema'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { NoSuchPage } from '../../web/ui/NotFound'
import { FullScreenSpinner } from '../../web/ui/Spinner'
import { OwnProfile } from './OwnProfile'

export function ProfilePage() {
  const { username } = useParams({ from: '/$username' })
  const { public: asOthers } = useSearch({ from: '/$username' })
  const viewer = useViewer()
  const [own, setOwn] = useState(viewer.username)
  if (username === viewer.username && own !== username) setOwn(username)
  const renamed = username === own && own !== viewer.username
  if (username !== viewer.username && !renamed) return <Someone username={username} />
  return (
    <Page person={viewer} title="Your profile">
      {asOthers ? <PublicPreview user={viewer} /> : <OwnProfile />}
      {renamed && <ToName username={viewer.username} />}
    </Page>
  )
}

const ToName = ({ username }: { username: string }) => (
  <Navigate to="/$username" params={{ username }} search={(search) => search} replace />
)

function Someone({ username }: { username: string }) {
  const { data: person, error, isPending, isFetching, refetch } = useProfile(username)
  // A former name, or capitals, redirect to the current address.
  if (person && person.username !== username) return <ToName username={person.username} />
  if (person)
    return (
      <Page person={person}>
        <OtherProfile person={person} />
      </Page>
    )
  if (isPending) return <FullScreenSpinner />
  if (refusalOf(error)?.code === 'NOT_FOUND') return usernameRule.safeParse(username).success ? <Nobody /> : <NoSuchPage />
  return (
    <Notice title="The profile could not be loaded" text="Please check your connection and try again.">
      <Button busy={isFetching} onClick={() => refetch()}>
        Try again
      </Button>
    </Notice>
  )
}

type PageProps = { person: UserSummary; title?: string; children: ReactNode }

const Page = ({ person, title = 'Profile', children }: PageProps) => (
  <div className="page *:max-w-160">
    <PageTitle>{displayName(person)}</PageTitle>
    <h1 className="font-strong">{title}</h1>
    {children}
  </div>
)

const Nobody = () => (
  <Notice title="User Not Found" text="The user you're looking for doesn't exist.">
    <Button asChild>
      <Link to="/">Go Home</Link>
    </Button>
  </Notice>
)

const Notice = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <div className="m-auto flex flex-col items-center gap-1 p-6 text-center">
    <PageTitle>{title}</PageTitle>
    <h1 className="font-strong">{title}</h1>
    <p className="pb-3 text-quiet">{text}</p>
    {children}
  </div>
)

const OtherProfile = ({ person }: { person: Profile }) => (
  <Card person={person}>
    <Actions person={person} />
  </Card>
)

const PublicPreview = ({ user }: { user: OwnUser }) => (
  <Card person={{ ...user, email: user.showEmail ? user.email : null }}>
    <p role="note" className="text-pretty text-quiet">
      This is how others see you.{' '}
      <Link
        to="/$username"
        params={{ username: user.username }}
        className="rounded-card font-strong text-text underline underline-offset-4"
      >
        Back to your profile
      </Link>
    </p>
  </Card>
)

const Card = ({ person, children }: { person: Profile; children: ReactNode }) => (
  <article className="flex flex-col items-start gap-6 rounded-panel bg-surface p-5 shadow-card sm:p-8">
    <Avatar user={person} size="lg" />
    <ProfileDetails person={person} />
    {children}
  </article>
)

function Actions({ person }: { person: Profile }) {
  const [managing, setManaging] = useState(false)
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {person.email !== null && (
          <Button asChild look="primary">
            <a href={`mailto:${person.email}`}>
              <Mail className="size-4" aria-hidden />
              Email
            </a>
          </Button>
        )}
        <Button onClick={() => setManaging(true)}>
          <KeyRound className="size-4" aria-hidden />
          Manage Board Access
        </Button>
      </div>
      {managing && <ManageAccess person={person} onClose={() => setManaging(false)} />}
    </>
  )
}

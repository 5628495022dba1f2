import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import { PageTitle } from '../../time/page/HeaderTimer'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { FullScreenSpinner } from '../../web/ui/Spinner'
import { displayName, type UserSummary, username as usernameRule } from '../schema'
import { useProfile } from './cache'
import { OtherProfile, PublicPreview } from './OtherProfile'
import { OwnProfile } from './OwnProfile'

/** `noSuchPage` is for addresses that cannot be anybody's. */
export function ProfilePage({ noSuchPage }: { noSuchPage: ReactNode }) {
  const { username } = useParams({ from: '/$username' })
  const { public: asOthers } = useSearch({ from: '/$username' })
  const viewer = useViewer()
  const [own, setOwn] = useState(viewer.username)
  if (username === viewer.username && own !== username) setOwn(username)
  const renamed = username === own && own !== viewer.username
  if (username !== viewer.username && !renamed) return <Someone username={username} noSuchPage={noSuchPage} />
  return (
    <Page person={viewer}>
      {asOthers ? <PublicPreview user={viewer} /> : <OwnProfile />}
      {renamed && <ToName username={viewer.username} />}
    </Page>
  )
}

const ToName = ({ username }: { username: string }) => (
  <Navigate to="/$username" params={{ username }} search={(search) => search} replace />
)

function Someone({ username, noSuchPage }: { username: string; noSuchPage: ReactNode }) {
  const { data: person, error, isPending, isFetching, refetch } = useProfile(username)
  // A former name, or capitals, lead to the lasting address.
  if (person && person.username !== username) return <ToName username={person.username} />
  if (person)
    return (
      <Page person={person}>
        <OtherProfile person={person} />
      </Page>
    )
  if (isPending) return <FullScreenSpinner />
  if (refusalOf(error)?.code === 'NOT_FOUND') return usernameRule.safeParse(username).success ? <Nobody /> : noSuchPage
  return (
    <Notice title="The profile could not be loaded" text="Please check your connection and try again.">
      <Button busy={isFetching} onClick={() => refetch()}>
        Try Again
      </Button>
    </Notice>
  )
}

const Page = ({ person, children }: { person: UserSummary; children: ReactNode }) => (
  <div className="relative flex flex-1 flex-col overflow-y-auto p-4 sm:p-8">
    <PageTitle>{displayName(person)}</PageTitle>
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
  <div className="m-auto flex flex-col items-center gap-2 p-6 text-center">
    <PageTitle>{title}</PageTitle>
    <h1 className="font-strong text-title">{title}</h1>
    <p className="pb-3 text-quiet">{text}</p>
    {children}
  </div>
)

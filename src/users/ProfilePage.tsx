import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { lazy, type ReactNode, Suspense } from 'react'
import { useViewer } from '../auth/cache'
import { Shell } from '../web/routes/Shell'
import { refusalOf, trpc } from '../web/trpc'
import { Button } from '../web/ui/Button'
import { FullScreenSpinner } from '../web/ui/Spinner'
import { Avatar } from './Avatar'
import { Copyable } from './Copyable'
import { displayName, type Profile } from './inputs'

const Security = lazy(() => import('../account/Security').then((module) => ({ default: module.Security })))

/** A person's public page (product.md, section 2). */
export const ProfilePage = () => (
  <Shell>
    <Found />
  </Shell>
)

function Found() {
  const { username = '' } = useParams({ strict: false })
  const viewer = useViewer()
  const profile = useQuery(trpc.users.profile.queryOptions({ username }))
  if (profile.data) return profile.data.id === viewer.id ? <Own person={profile.data} /> : <Person person={profile.data} />
  if (profile.isPending) return <FullScreenSpinner />
  if (refusalOf(profile.error)?.code === 'NOT_FOUND') return <Nobody />
  return (
    <Notice title="The profile could not be loaded" text="Please check your connection and try again.">
      <Button busy={profile.isFetching} onClick={() => profile.refetch()}>
        Try Again
      </Button>
    </Notice>
  )
}

const LINK_CUT = 15
const EMAIL_CUT = 25

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}...` : text)

const Person = ({ person }: { person: Profile }) => (
  <Page person={person}>
    <Card>
      <Facts person={person} />
      <Button asChild look="primary">
        <a href={`mailto:${person.email}`}>
          <Mail className="size-4" aria-hidden />
          Email
        </a>
      </Button>
    </Card>
  </Page>
)

/** One's own, with what only oneself may see and do. */
const Own = ({ person }: { person: Profile }) => (
  <Page person={person}>
    <Tabs.Root defaultValue="profile" className="mx-auto flex w-full max-w-md flex-col gap-4 sm:mt-[4vh]">
      <Tabs.List aria-label="Your profile" className="flex gap-4 border-line border-b">
        <Tab value="profile">Profile</Tab>
        <Tab value="security">Sign-in & security</Tab>
      </Tabs.List>
      <Tabs.Content value="profile">
        <Card>
          <Facts person={person} />
        </Card>
      </Tabs.Content>
      <Tabs.Content value="security">
        <Card>
          <div className="self-stretch">
            <Suspense fallback={<div className="h-96" aria-busy />}>
              <Security />
            </Suspense>
          </div>
        </Card>
      </Tabs.Content>
    </Tabs.Root>
  </Page>
)

const Tab = ({ value, children }: { value: string; children: string }) => (
  <Tabs.Trigger
    value={value}
    className="-mb-px min-h-10 border-transparent border-b-2 font-strong text-quiet hover:text-text data-[state=active]:border-text data-[state=active]:text-text"
  >
    {children}
  </Tabs.Trigger>
)

const Page = ({ person, children }: { person: Profile; children: ReactNode }) => (
  <div className="flex flex-1 flex-col overflow-y-auto p-4 sm:p-8">
    <title>{`${displayName(person)} · wrk`}</title>
    {children}
  </div>
)

const Card = ({ children }: { children: ReactNode }) => (
  <article className="mx-auto flex w-full max-w-md flex-col items-start gap-6 rounded-panel bg-surface p-6 shadow-card sm:p-8">
    {children}
  </article>
)

function Facts({ person }: { person: Profile }) {
  const { host, origin } = window.location
  return (
    <>
      <Avatar user={person} size="lg" />
      <div className="flex flex-col gap-1 self-stretch">
        <h1 className="break-words font-strong text-title">{displayName(person)}</h1>
        <Copyable
          shown={`${host}/${cut(person.username, LINK_CUT)}`}
          text={`${origin}/${person.username}`}
          label="Copy the profile link"
          copied="Link Copied"
        />
        <Copyable shown={cut(person.email, EMAIL_CUT)} text={person.email} label="Copy the email address" copied="Email Copied" />
      </div>
      {person.description && (
        <p className="max-w-[60ch] self-stretch whitespace-pre-wrap break-words border-line border-t pt-6">
          {person.description}
        </p>
      )}
    </>
  )
}

const Nobody = () => (
  <Notice title="User Not Found" text="The user you're looking for doesn't exist.">
    <Button asChild>
      <Link to="/">Go Home</Link>
    </Button>
  </Notice>
)

const Notice = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <div className="m-auto flex flex-col items-center gap-2 p-6 text-center">
    <title>{`${title} · wrk`}</title>
    <h1 className="font-strong text-title">{title}</h1>
    <p className="pb-3 text-quiet">{text}</p>
    {children}
  </div>
)

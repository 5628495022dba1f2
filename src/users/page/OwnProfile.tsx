import { useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { lazy, type ReactNode, Suspense } from 'react'
import { isProfileTab, type ProfileTab } from '../schema'
import { usePredictedViewer } from './cache'
import { EditProfile } from './EditProfile'
import { NotificationSettings } from './NotificationSettings'
import { OwnProfileDetails } from './OwnProfileDetails'
import { Support } from './Support'

const Security = lazy(() => import('../../account/page/Security').then((module) => ({ default: module.Security })))
const Subscription = lazy(() => import('../../billing/page/Subscription').then((module) => ({ default: module.Subscription })))

export function OwnProfile() {
  const { tab = 'profile', edit } = useSearch({ from: '/$username' })
  const navigate = useNavigate({ from: '/$username' })
  const user = usePredictedViewer()
  const show = (name: string) => void navigate({ search: isProfileTab(name) ? { tab: name } : {}, replace: true })
  return (
    <Tabs.Root value={tab} onValueChange={show} className="mx-auto flex w-full max-w-xl flex-col gap-4 sm:mt-[2vh]">
      {/* On a phone the last tabs scroll into sight with the focus. */}
      <Tabs.List
        aria-label="Your profile"
        className="-mx-4 flex shrink-0 gap-5 overflow-x-auto border-line border-b px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
      >
        <Tab value="profile">Profile</Tab>
        <Tab value="notifications">Notifications</Tab>
        <Tab value="subscription">Subscription</Tab>
        <Tab value="support">Support</Tab>
        <Tab value="security">Sign-in & security</Tab>
      </Tabs.List>
      <Panel value="profile">
        <OwnProfileDetails user={user} onEdit={() => void navigate({ search: { edit: true } })} />
      </Panel>
      <Panel value="notifications">
        <NotificationSettings user={user} />
      </Panel>
      <Panel value="subscription">
        <Subscription user={user} />
      </Panel>
      <Panel value="support">
        <Support user={user} onUpgrade={() => show('subscription')} />
      </Panel>
      <Panel value="security">
        <Security />
      </Panel>
      <EditProfile open={edit === true} onClose={() => void navigate({ search: {}, replace: true })} />
    </Tabs.Root>
  )
}

/** The address may name a tab that is out of sight. */
const comeIntoSight = (tab: HTMLElement | null) =>
  tab?.dataset.state === 'active' && tab.scrollIntoView({ block: 'nearest', inline: 'nearest' })

const Tab = ({ value, children }: { value: ProfileTab | 'profile'; children: string }) => (
  <Tabs.Trigger
    ref={(tab) => void comeIntoSight(tab)}
    value={value}
    className="min-h-10 shrink-0 border-transparent border-b-2 font-strong text-quiet hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-text data-[state=active]:text-text"
  >
    {children}
  </Tabs.Trigger>
)

const Panel = ({ value, children }: { value: ProfileTab | 'profile'; children: ReactNode }) => (
  <Tabs.Content value={value}>
    <article className="flex flex-col gap-6 rounded-panel bg-surface p-5 shadow-card sm:p-8">
      <Suspense fallback={<div className="h-96" aria-busy />}>{children}</Suspense>
    </article>
  </Tabs.Content>
)

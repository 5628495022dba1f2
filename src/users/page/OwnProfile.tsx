import { useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import type { ReactNode } from 'react'
import { lazyComponent } from '../../web/lazy'
import { Tab, TabList } from '../../web/ui/Tabs'
import { isProfileTab, type ProfileTab } from '../schema'
import { usePredictedViewer } from './cache'
import { EditProfile } from './EditProfile'
import { NotificationSettings } from './NotificationSettings'
import { OwnProfileDetails } from './OwnProfileDetails'
import { Support } from './Support'

const NotLoaded = () => <p className="text-quiet">This could not be loaded. Reload the page to see it.</p>
const Security = lazyComponent(() => import('../../account/page/Security').then((module) => module.Security), NotLoaded)
const Subscription = lazyComponent(
  () => import('../../billing/page/Subscription').then((module) => module.Subscription),
  NotLoaded,
)

const LOADING = <div className="h-96" aria-busy />

export function OwnProfile() {
  const { tab = 'profile', edit } = useSearch({ from: '/$username' })
  const navigate = useNavigate({ from: '/$username' })
  const user = usePredictedViewer()
  const show = (name: string) => void navigate({ search: isProfileTab(name) ? { tab: name } : {}, replace: true })
  return (
    <Tabs.Root value={tab} onValueChange={show} className="mx-auto flex w-full max-w-xl flex-col gap-4 sm:mt-[2vh]">
      <TabList label="Your profile">
        <Tab value="profile">Profile</Tab>
        <Tab value="notifications">Notifications</Tab>
        <Tab value="subscription">Subscription</Tab>
        <Tab value="support">Support</Tab>
        <Tab value="security">Sign-in & security</Tab>
      </TabList>
      <Panel value="profile">
        <OwnProfileDetails user={user} onEdit={() => void navigate({ search: { edit: true } })} />
      </Panel>
      <Panel value="notifications">
        <NotificationSettings user={user} />
      </Panel>
      <Panel value="subscription">
        <Subscription fallback={LOADING} user={user} />
      </Panel>
      <Panel value="support">
        <Support user={user} onUpgrade={() => show('subscription')} />
      </Panel>
      <Panel value="security">
        <Security fallback={LOADING} />
      </Panel>
      <EditProfile open={edit === true} onClose={() => void navigate({ search: {}, replace: true })} />
    </Tabs.Root>
  )
}

const Panel = ({ value, children }: { value: ProfileTab | 'profile'; children: ReactNode }) => (
  <Tabs.Content value={value}>
    <article className="flex flex-col gap-6 rounded-panel bg-surface p-5 shadow-card sm:p-8">{children}</article>
  </Tabs.Content>
)

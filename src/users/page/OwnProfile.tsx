import { useNavigate, useSearch } from '@tanstack/react-router'
import * as Tabs from 'radix-ui/tabs'
import type { ReactNode } from 'react'
import { Security } from '../../account/page/Security'
import { Subscription } from '../../billing/page/Subscription'
import { Tab, TabList } from '../../web/ui/Tabs'
import { isProfileTab, type ProfileTab } from '../schema'
import { usePredictedViewer } from './cache'
import { EditProfile } from './EditProfile'
import { NotificationSettings } from './NotificationSettings'
import { OwnProfileDetails } from './OwnProfileDetails'
import { Support } from './Support'

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

const Panel = ({ value, children }: { value: ProfileTab | 'profile'; children: ReactNode }) => (
  <Tabs.Content value={value}>
    <article className="flex flex-col gap-6 rounded-panel bg-surface p-5 shadow-card sm:p-8">{children}</article>
  </Tabs.Content>
)

import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import CalendarDays from 'lucide-react/icons/calendar-days'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import Upload from 'lucide-react/icons/upload'
import * as Tabs from 'radix-ui/tabs'
import { type ChangeEvent, type ReactNode, useId, useRef } from 'react'
import { Security } from '../../account/page/Security'
import { Subscription } from '../../billing/page/Subscription'
import type { WeekStart } from '../../days'
import { Avatar } from '../../users/page/Avatar'
import {
  NO_IMAGE,
  TOO_LARGE,
  usePredictedViewer,
  useRemoveAvatar,
  useSetNotifications,
  useSupport,
  useUpdateProfile,
  useUploadAvatar,
} from '../../users/page/cache'
import { EditProfile, ProfileDetails } from '../../users/page/ProfileDetails'
import {
  DEFAULT_AVATAR,
  isProfileTab,
  LARGEST_AVATAR,
  type Switch as Name,
  type OwnUser,
  type ProfileTab,
  type SupportOptions,
} from '../../users/schema'
import { settings } from '../../web/settings'
import { toast } from '../../web/toast'
import { Button, IconButton } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/Failure'
import { Select } from '../../web/ui/Field'
import { Hint } from '../../web/ui/Hint'
import { nextEntry } from '../../web/ui/layer'
import { Switch } from '../../web/ui/Switch'
import { Tab, TabList } from '../../web/ui/Tabs'

export function OwnProfile() {
  const { tab: asked = 'profile', edit } = useSearch({ from: '/$username' })
  const navigate = useNavigate({ from: '/$username' })
  const router = useRouter()
  const user = usePredictedViewer()
  const { hasPlans } = settings()
  const tab = hasPlans || (asked !== 'subscription' && asked !== 'support') ? asked : 'profile'
  const show = (name: string) => void navigate({ search: isProfileTab(name) ? { tab: name } : {}, replace: true, state: true })
  return (
    <Tabs.Root value={tab} onValueChange={show} className="flex flex-col gap-4">
      <TabList label="Your profile">
        <Tab value="profile">Profile</Tab>
        <Tab value="notifications">Notifications</Tab>
        {hasPlans && <Tab value="subscription">Subscription</Tab>}
        {hasPlans && <Tab value="support">Support</Tab>}
        <Tab value="security">Sign-in & security</Tab>
      </TabList>
      <Panel value="profile">
        <OwnProfileDetails user={user} onEdit={() => void navigate({ search: { edit: true }, ...nextEntry(router) })} />
      </Panel>
      <Panel value="notifications">
        <NotificationSettings user={user} />
      </Panel>
      {hasPlans && (
        <>
          <Panel value="subscription">
            <Subscription user={user} />
          </Panel>
          <Panel value="support">
            <Support user={user} onUpgrade={() => show('subscription')} />
          </Panel>
        </>
      )}
      <Panel value="security">
        <Security />
      </Panel>
      <EditProfile open={edit === true} onClose={() => void navigate({ search: {}, replace: true, state: true })} />
    </Tabs.Root>
  )
}

const Panel = ({ value, children }: { value: ProfileTab | 'profile'; children: ReactNode }) => (
  <Tabs.Content value={value}>
    <article className="flex flex-col gap-6 rounded-panel bg-surface p-5 shadow-card sm:p-8">{children}</article>
  </Tabs.Content>
)

function OwnProfileDetails({ user, onEdit }: { user: OwnUser; onEdit(): void }) {
  const update = useUpdateProfile()
  return (
    <>
      <OwnAvatar user={user} />
      <ProfileDetails person={user} />
      <Button onClick={onEdit} className="self-start">
        <Pencil className="size-4" aria-hidden />
        Edit Profile
      </Button>
      <div className="border-line border-t pt-6">
        <Switch
          label="Show my email on my profile"
          text={whoSeesEmail(user)}
          on={user.showEmail}
          onChange={(showEmail) => void update.run({ showEmail })}
        />
      </div>
      <WeekStartChoice user={user} onChoose={(weekStartsOn) => void update.run({ weekStartsOn })} />
    </>
  )
}

const CHOICES: Record<WeekStart, string> = { automatic: 'Automatic', monday: 'Monday', sunday: 'Sunday', saturday: 'Saturday' }
const isWeekStart = (value: string): value is WeekStart => Object.hasOwn(CHOICES, value)

function WeekStartChoice({ user, onChoose }: { user: OwnUser; onChoose(start: WeekStart): void }) {
  const id = useId()
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <label htmlFor={id} className="flex min-w-0 flex-1 basis-56 flex-col">
        <span className="font-strong">Week starts on</span>
        <span id={`${id}-text`} className="text-pretty text-quiet">
          Used by calendars and My time. Automatic follows your browser’s language.
        </span>
      </label>
      <Select
        id={id}
        aria-label="Week starts on"
        aria-describedby={`${id}-text`}
        className="w-36"
        value={user.weekStartsOn ?? 'automatic'}
        onChange={({ target: { value } }) => isWeekStart(value) && onChoose(value)}
        options={Object.entries(CHOICES)}
      />
    </div>
  )
}

function whoSeesEmail({ emailVerified, showEmail }: OwnUser): string {
  if (!showEmail) return 'Only you and this server’s operators can see it, even on shared boards.'
  return emailVerified ? 'Anyone who is signed in can see it.' : 'Anyone who is signed in can see it, marked as unconfirmed.'
}

function OwnAvatar({ user }: { user: OwnUser }) {
  const upload = useUploadAvatar()
  const removal = useRemoveAvatar()
  const input = useRef<HTMLInputElement>(null)
  const busy = upload.isPending || removal.isPending
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    target.value = ''
    const wrong = file && rejectionOf(file)
    if (wrong) toast({ variant: 'destructive', ...wrong })
    if (!file || wrong) return
    const shown = URL.createObjectURL(file)
    await upload.run({ file, shown })
    URL.revokeObjectURL(shown)
  }
  return (
    <div className="flex items-center gap-3">
      <Link
        to="/$username"
        params={{ username: user.username }}
        search={{ public: true }}
        aria-label="Your public profile"
        className="flex rounded-full"
      >
        <Avatar user={user} size="lg" />
      </Link>
      <input ref={input} type="file" accept="image/*" hidden onChange={choose} aria-label="Avatar image" />
      <div className="flex gap-1">
        <Hint text="Upload avatar">
          <Button
            look="quiet"
            size="icon"
            aria-label="Upload avatar"
            busy={upload.isPending}
            disabled={busy}
            onClick={() => input.current?.click()}
          >
            {!upload.isPending && <Upload className="size-4" aria-hidden />}
          </Button>
        </Hint>
        <Hint text="Remove avatar">
          <IconButton
            icon={Trash2}
            label="Remove avatar"
            title={undefined}
            disabled={busy || user.avatar === DEFAULT_AVATAR}
            onClick={() => void removal.run(undefined)}
          />
        </Hint>
      </div>
    </div>
  )
}

function rejectionOf({ type, size }: File) {
  if (!type.startsWith('image/')) return NO_IMAGE
  return size > LARGEST_AVATAR ? TOO_LARGE : undefined
}

const SUB_SWITCHES: [name: Name, label: string, text: string][] = [
  ['notifyTaskAssigned', 'Task Assignment', 'When you are assigned to a task'],
  ['notifyTaskCommented', 'New Comments', 'When someone comments on your tasks'],
  ['notifyBoardUpdated', 'Board Updates', 'When boards you are a member of are updated'],
  ['notifyTimeEntries', 'Time Entries', 'When time is logged on tasks in your boards'],
]

function NotificationSettings({ user }: { user: OwnUser }) {
  const { run } = useSetNotifications()
  return (
    <>
      <h2 className="sr-only">Notifications</h2>
      <Switch
        label="Email Notifications"
        text={`Sent to ${user.email}`}
        on={user.emailNotifications}
        onChange={(on) => void run({ emailNotifications: on })}
      />
      <div className="flex flex-col gap-5 border-line border-t pt-6">
        {SUB_SWITCHES.map(([name, label, text]) => (
          <Switch
            key={name}
            label={label}
            text={text}
            on={user[name]}
            disabled={!user.emailNotifications}
            onChange={(on) => void run({ [name]: on })}
          />
        ))}
      </div>
    </>
  )
}

type SupportProps = { user: OwnUser; onUpgrade(): void }

function Support({ user, onUpgrade }: SupportProps) {
  const { data, error, isError, refetch } = useSupport()
  if (isError && !data) return <LoadFailed retry={() => void refetch()} error={error} />
  if (!data) return <div className="skeleton h-60" aria-busy />
  return (
    <>
      <div className="flex flex-col gap-1">
        <h2 className="font-strong text-title">{user.isPro ? 'Priority Support' : 'Customer Support'}</h2>
        <p className="text-pretty text-quiet">
          {user.isPro ? 'Email us at ' : 'For help, email us at '}
          <a href={`mailto:${data.email}`} className="break-words font-strong text-text underline underline-offset-4">
            {data.email}
          </a>
          {user.isPro ? '. Your messages come first.' : '. We reply within 72 hours.'}
        </p>
      </div>
      <div className="flex flex-col items-start gap-3 border-line border-t pt-6">
        <div className="flex flex-col gap-0.5">
          <h3 className="font-strong">Dedicated video help</h3>
          <p className="text-pretty text-quiet">{user.isPro ? 'Talk to us about your boards.' : 'Part of the Pro plan.'}</p>
        </div>
        <Booking isPro={user.isPro} options={data} onUpgrade={onUpgrade} />
      </div>
    </>
  )
}

function Booking({ isPro, options, onUpgrade }: { isPro: boolean; options: SupportOptions; onUpgrade(): void }) {
  if (isPro && options.bookingUrl)
    return (
      <Button asChild look="primary">
        <a href={options.bookingUrl} target="_blank" rel="noopener noreferrer">
          <CalendarDays className="size-4" aria-hidden />
          Book a Support Session
        </a>
      </Button>
    )
  return (
    <>
      <Button disabled aria-describedby="no-booking">
        <CalendarDays className="size-4" aria-hidden />
        {options.canBook ? 'Book a Support Session' : 'Booking is not set up'}
      </Button>
      <p id="no-booking" className="text-pretty text-quiet">
        {!options.canBook && 'This server has no booking page. '}
        {!isPro && (
          <button type="button" onClick={onUpgrade} className="rounded-card font-strong text-text underline underline-offset-4">
            Upgrade to Pro
          </button>
        )}
      </p>
    </>
  )
}

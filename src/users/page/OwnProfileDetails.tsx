import { Pencil } from 'lucide-react'
import { useId } from 'react'
import { WEEK_STARTS, type WeekStart } from '../../basics'
import { Button } from '../../web/ui/Button'
import { Select } from '../../web/ui/Select'
import { SourceLink } from '../../web/ui/SourceLink'
import { Switch } from '../../web/ui/Switch'
import type { OwnUser } from '../schema'
import { useUpdateProfile } from './cache'
import { OwnAvatar } from './OwnAvatar'
import { ProfileDetails } from './ProfileDetails'

export function OwnProfileDetails({ user, onEdit }: { user: OwnUser; onEdit(): void }) {
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
      <SourceLink className="inline-flex min-h-6 items-center self-start text-quiet text-small underline underline-offset-4" />
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
          Used by calendars and My time. Automatic follows your browser's language.
        </span>
      </label>
      <Select
        id={id}
        aria-label="Week starts on"
        aria-describedby={`${id}-text`}
        className="w-36"
        value={user.weekStartsOn ?? 'automatic'}
        onChange={({ target: { value } }) => isWeekStart(value) && onChoose(value)}
      >
        {WEEK_STARTS.map((start) => (
          <option key={start} value={start}>
            {CHOICES[start]}
          </option>
        ))}
      </Select>
    </div>
  )
}

function whoSeesEmail({ emailVerified, showEmail }: OwnUser): string {
  if (!showEmail) return 'Nobody but you sees it, whatever boards you share.'
  return emailVerified ? 'Everyone who is signed in sees it.' : 'Everyone who is signed in sees it, marked as not confirmed.'
}

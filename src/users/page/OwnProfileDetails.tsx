import { Pencil } from 'lucide-react'
import { Button } from '../../web/ui/Button'
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
      <SourceLink className="inline-flex min-h-6 items-center self-start text-quiet text-small underline underline-offset-4" />
    </>
  )
}

function whoSeesEmail({ emailVerified, showEmail }: OwnUser): string {
  if (!emailVerified) return 'Nobody else sees it until it is confirmed.'
  return showEmail ? 'Everyone who is signed in sees it.' : 'Only people who share a board with you see it.'
}

import { Link } from '@tanstack/react-router'
import { KeyRound, Mail } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../web/ui/Button'
import type { OwnUser, Profile } from '../schema'
import { Avatar } from './Avatar'
import { ManageAccess } from './ManageAccess'
import { ProfileDetails } from './ProfileDetails'

export const OtherProfile = ({ person }: { person: Profile }) => (
  <Card person={person}>
    <Actions person={person} />
  </Card>
)

/** The viewer's own profile, as others see it. */
export const PublicPreview = ({ user }: { user: OwnUser }) => (
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
  <article className="mx-auto flex w-full max-w-md flex-col items-start gap-6 rounded-panel bg-surface p-6 shadow-card sm:mt-[2vh] sm:p-8">
    <Avatar user={person} size="lg" />
    <ProfileDetails person={person} />
    {children}
  </article>
)

/** A hidden email cannot be written to. */
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

import { KeyRound, Mail } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../web/ui/Button'
import { Avatar } from './Avatar'
import { Facts } from './Facts'
import type { Profile } from './inputs'

const ManageAccess = lazy(() => import('./ManageAccess').then((module) => ({ default: module.ManageAccess })))

/** Someone else's profile (product.md, section 2); who hides their e-mail is not written to from here. */
export function Person({ person }: { person: Profile }) {
  const [managing, setManaging] = useState(false)
  return (
    <article className="mx-auto flex w-full max-w-md flex-col items-start gap-6 rounded-panel bg-surface p-6 shadow-card sm:p-8">
      <Avatar user={person} size="lg" />
      <Facts person={person} />
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
      <Suspense>{managing && <ManageAccess person={person} onClose={() => setManaging(false)} />}</Suspense>
    </article>
  )
}

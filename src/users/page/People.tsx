import { Link } from '@tanstack/react-router'
import { type ComponentProps, type HTMLAttributes, memo, useState } from 'react'
import { foldCase } from '../../format'
import { Input } from '../../web/ui/Field'
import { Hint } from '../../web/ui/Hint'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { SEARCHED_ABOVE } from '../limits'
import { displayName, isName, type UserSummary } from '../schema'
import { Avatar, FACES_SHOWN, MoreAvatars } from './Avatar'
import { useSession } from './viewer'

type Props = HTMLAttributes<HTMLElement> & { user: UserSummary; edit?: boolean }

/** Imported names have no profile. */
export function PersonLink({ user, edit = false, ...rest }: Props) {
  if (isName(user)) return <span {...(rest['aria-label'] !== undefined && { role: 'img' })} {...rest} />
  return <Link to="/$username" params={{ username: user.username }} search={edit ? { edit } : {}} {...rest} />
}

/** Filters people by the text in `field`, which only long lists have. */
export function usePeopleSearch(people: UserSummary[]) {
  const [text, setText] = useState('')
  const isLong = people.length > SEARCHED_ABOVE
  const wanted = foldCase(text.trim())
  const has = (user: UserSummary) => [foldCase(displayName(user)), user.username].some((name) => name.includes(wanted))
  const found = isLong && wanted ? people.filter(has) : people
  const field = isLong && (
    <>
      <Input
        className="shrink-0"
        aria-label="Search people"
        placeholder="Search people"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p role="status" className={found.length > 0 ? 'sr-only' : 'px-1 text-quiet'}>
        {wanted && (found.length === 0 ? 'No one found.' : `${found.length} found`)}
      </p>
    </>
  )
  return { found, field, isLong }
}

/** The viewer's own link opens editing. */
function ProfileLink(props: ComponentProps<typeof PersonLink>) {
  return <PersonLink edit={useSession()?.id === props.user.id} {...props} />
}

type GroupProps = { users: UserSummary[]; here?: ReadonlySet<number>; max?: number | undefined }

/** Users who are `here` have a ring, and come first if there are more than `max`. */
export const AvatarGroup = memo(function AvatarGroup({ users, here = NOBODY, max = FACES_SHOWN }: GroupProps) {
  const shown = here.size === 0 ? users.slice(0, max) : preferred(users, here, max)
  const rest = users.filter((user) => !shown.includes(user))
  const hidden = rest.filter(({ id }) => here.has(id)).length
  return (
    <ul className="flex items-center gap-0.5" aria-label={users.map(displayName).join(', ')}>
      {shown.map((user) => (
        <li key={user.id} className="flex">
          <Face user={user} here={here.has(user.id)} />
        </li>
      ))}
      {rest.length > 0 && (
        <li className="flex">
          <MorePeople users={users} here={here} count={rest.length} hidden={hidden} />
        </li>
      )}
    </ul>
  )
})

const NOBODY: ReadonlySet<number> = new Set()

/** In the usual order, so that no face changes places. */
function preferred(users: UserSummary[], here: ReadonlySet<number>, max: number): UserSummary[] {
  const first = users.toSorted((a, b) => Number(here.has(b.id)) - Number(here.has(a.id))).slice(0, max)
  return users.filter((user) => first.includes(user))
}

function Face({ user, here }: { user: UserSummary; here: boolean }) {
  const name = here ? `${displayName(user)} is here` : displayName(user)
  return (
    <Hint text={name}>
      <ProfileLink user={user} aria-label={name} className="flex rounded-full">
        <Avatar user={user} here={here} />
      </ProfileLink>
    </Hint>
  )
}

type MorePeopleProps = { users: UserSummary[]; here: ReadonlySet<number>; count: number; hidden: number }

const MorePeople = ({ users, here, count, hidden }: MorePeopleProps) => (
  <Popover
    trigger={
      <button type="button" className="flex rounded-full">
        <MoreAvatars count={count} here={hidden} />
        <span className="sr-only">show everyone</span>
      </button>
    }
  >
    <PopoverPanel label="Everyone" className="z-30 w-72 gap-2 p-3">
      <AllPeople users={users} here={here} />
    </PopoverPanel>
  </Popover>
)

function AllPeople({ users, here }: { users: UserSummary[]; here: ReadonlySet<number> }) {
  const { found, field } = usePeopleSearch(users)
  return (
    <>
      {field}
      <ul className="-mx-1.5 flex min-h-0 flex-col overflow-y-auto" aria-label="People">
        {found.map((user) => (
          <li key={user.id}>
            <PersonLink
              user={user}
              className="flex items-center gap-2 rounded-card px-1.5 py-1.5 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Avatar user={user} here={here.has(user.id)} />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {displayName(user)}
              </span>
              {here.has(user.id) && <span className="shrink-0 text-quiet text-small">Here now</span>}
            </PersonLink>
          </li>
        ))}
      </ul>
    </>
  )
}

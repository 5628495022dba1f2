import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { displayName, type UserSummary } from '../schema'
import { Avatar, More } from './Avatar'
import { PersonLink } from './PersonLink'
import { useFound } from './useFound'

type Props = { users: UserSummary[]; here: ReadonlySet<number>; count: number; hidden: number }

export const MorePeople = ({ users, here, count, hidden }: Props) => (
  <Popover
    trigger={
      <button type="button" className="flex rounded-full">
        <More count={count} here={hidden} />
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
  const { found, field } = useFound(users)
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

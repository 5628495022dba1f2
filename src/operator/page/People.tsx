import { Link } from '@tanstack/react-router'
import { calendarDay } from '../../activity/page/display'
import { dayAt } from '../../basics'
import { Avatar } from '../../users/page/Avatar'
import { displayName } from '../../users/schema'
import { client } from '../../web/client'
import type { Person } from '../schema'
import { Listing, Mark, RowText } from './Listing'
import { PersonActions } from './PersonActions'

export const People = () => (
  <Listing
    name="people"
    find="Find people by name or email"
    empty="Nobody has an account."
    read={(given) => client.operator.users.query(given)}
  >
    {(person) => <Row person={person} />}
  </Listing>
)

const Row = ({ person }: { person: Person }) => (
  <>
    <Avatar user={person} />
    <RowText
      title={
        <Link to="/$username" params={{ username: person.username }} className="rounded-card underline-offset-4 hover:underline">
          {displayName(person)}
        </Link>
      }
      text={person.name ? `${person.username} · ${person.email}` : person.email}
    >
      {person.operator && <Mark>Operator</Mark>}
      {person.isPro && <Mark>{person.subscribed ? 'Pro, paid' : 'Pro, given'}</Mark>}
      {!person.emailVerified && <Mark>Email not confirmed</Mark>}
      {person.disabled && <Mark>Disabled</Mark>}
    </RowText>
    <p className="tabular basis-44 text-quiet text-small max-sm:grow max-sm:pl-10">
      {person.boards === 1 ? '1 board' : `${person.boards} boards`} · here since {dayOf(person.createdAt)}
      <br />
      {person.lastSeenAt ? `Seen on ${dayOf(person.lastSeenAt)}` : 'Signed in nowhere'}
    </p>
    <PersonActions person={person} />
  </>
)

const dayOf = (moment: string) => calendarDay(dayAt(new Date(moment)))

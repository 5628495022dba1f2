import { Initials } from '../../../users/page/Avatar'
import { DEFAULT_AVATAR } from '../../../users/schema'

const PEOPLE = {
  jo: { id: 8, name: 'Jo Okafor' },
  maya: { id: 1, name: 'Maya Tremblay' },
  rik: { id: 2, name: 'Rik Kowalski' },
  alma: { id: 3, name: 'Alma Lind' },
  sam: { id: 4, name: 'Sam Bouchard' },
}
export type Person = keyof typeof PEOPLE

export const Face = ({ who }: { who: Person }) => (
  <Initials user={{ ...PEOPLE[who], username: who, avatar: DEFAULT_AVATAR }} className="ring-2 ring-surface" />
)

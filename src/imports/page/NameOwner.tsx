import ChevronDown from 'lucide-react/icons/chevron-down'
import * as DropdownMenu from 'radix-ui/dropdown-menu'
import { inviteLinkOf, useAddMember } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { useOpenInvitations } from '../../invitations/page/cache'
import { useViewer } from '../../users/page/viewer'
import { displayName, isName } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { MenuItem, MenuLine, MenuPanel } from '../../web/ui/Menu'
import type { ImportedName } from '../schema'
import { useOfferName } from './names'

type Props = { board: Board; name: ImportedName; onLink(link: string | undefined): void }

/** The creator asks a member whether the name is theirs, or invites its address. */
export function NameOwner({ board, name: { user, email, asked }, onLink }: Props) {
  const viewer = useViewer()
  const { invitations = [] } = useOpenInvitations(board.id)
  const invitation = useAddMember(board.id)
  const offer = useOfferName(board.id, user)
  const people = board.members.filter((member) => !isName(member))
  const isInvited = email !== null && invitations.some((open) => open.email === email)
  const answerOf = (id: number) => asked.find(({ userId }) => userId === id)
  const text = stateOf({ people, asked, isInvited, viewerId: viewer.id })
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <Button
          look="quiet"
          size="small"
          className="-my-1 -ml-2 min-w-0 text-small"
          aria-label={`${displayName(user)}: ${text}`}
          busy={offer.isPending || invitation.isPending}
        >
          <bdi className="truncate">{text}</bdi>
          <ChevronDown className="size-3.5 shrink-0" aria-hidden />
        </Button>
      </DropdownMenu.Trigger>
      <MenuPanel align="start" aria-label={`Who is ${displayName(user)}?`} style={BELOW}>
        {email && !isInvited && !asked.some((one) => !one.offered && !hasDeclined(one)) && (
          <>
            <MenuItem onSelect={async () => onLink(inviteLinkOf((await invitation.run(email))?.answer))}>
              <bdi className="truncate">Invite {email}</bdi>
            </MenuItem>
            <MenuLine />
          </>
        )}
        {people.map((person) => (
          <MenuItem key={person.id} disabled={hasDeclined(answerOf(person.id))} onSelect={() => void offer.to(person)}>
            <bdi className="min-w-0 flex-1 truncate">Ask {person.id === viewer.id ? 'me' : displayName(person)}</bdi>
            <span className="shrink-0 text-quiet text-small">{answerText(answerOf(person.id))}</span>
          </MenuItem>
        ))}
        {asked.some(({ offered }) => offered) && (
          <>
            <MenuLine />
            <MenuItem onSelect={() => void offer.to(null)}>Stop asking</MenuItem>
          </>
        )}
      </MenuPanel>
    </DropdownMenu.Root>
  )
}

/** Low enough to open below the name instead of over it. */
const BELOW = { maxHeight: 'min(14rem, var(--radix-dropdown-menu-content-available-height))' }

type Asked = ImportedName['asked'][number]

const hasDeclined = (asked: Asked | undefined): boolean => asked?.answer === 'no'

function answerText(asked: Asked | undefined): string {
  if (!asked) return ''
  return hasDeclined(asked) ? 'said no' : 'asked'
}

type State = Pick<ImportedName, 'asked'> & { people: Board['members']; isInvited: boolean; viewerId: number }

function stateOf({ people, asked, isInvited, viewerId }: State) {
  const latest = asked.find(({ answer }) => answer === null) ?? asked.find(({ offered }) => offered) ?? asked[0]
  const person = people.find(({ id }) => id === latest?.userId)
  if (!latest || !person) return isInvited ? 'Invited' : 'Who is this?'
  if (latest.answer === 'yes') return 'Moving…'
  const isSelf = person.id === viewerId
  if (latest.answer === 'no') return `${isSelf ? 'You' : displayName(person)} said no`
  return `Asked ${isSelf ? 'you' : displayName(person)}`
}

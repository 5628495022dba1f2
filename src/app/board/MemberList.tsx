import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { mayOfferNames, mayRemoveMember } from '../../access'
import { useRemoveMember } from '../../boards/page/cache'
import { LEAVE_QUESTION } from '../../boards/page/LeaveBoard'
import { useUsersHere } from '../../boards/page/Presence'
import type { Board } from '../../boards/schema'
import { NameOwner } from '../../imports/page/NameOwner'
import { OwnNames, RefusedNames } from '../../imports/page/NameQuestion'
import { useNames } from '../../imports/page/names'
import type { ImportedName } from '../../imports/schema'
import { AllowLinks, CopyInviteLink, LinkField, OpenInvitations } from '../../invitations/page/Invitations'
import { Avatar } from '../../users/page/Avatar'
import { PersonLink, usePeopleSearch } from '../../users/page/People'
import { useViewer } from '../../users/page/viewer'
import { displayName, isName, type UserSummary } from '../../users/schema'
import { IconButton } from '../../web/ui/Button'
import { Confirm, type Question } from '../../web/ui/Confirm'

/** Gets the link of an invitation that cannot be mailed. */
export type OnLink = (link: string | undefined) => void

type Props = { board: Board; locked: boolean; unsent: string | undefined; onLink: OnLink }

export function MemberList({ board, locked, unsent, onLink }: Props) {
  return (
    <>
      {unsent && <LinkField label="No mail server is set up, so send this link yourself" link={unsent} />}
      {!locked && <CopyInviteLink board={board} />}
      {!locked && <OwnNames board={board} />}
      <People board={board} locked={locked} onLink={onLink} />
      <OpenInvitations board={board} locked={locked} onLink={onLink} />
      {!locked && <RefusedNames board={board} />}
      {!locked && <AllowLinks board={board} />}
    </>
  )
}

function People({ board, locked, onLink }: { board: Board; locked: boolean; onLink: OnLink }) {
  const viewer = useViewer()
  const removal = useRemoveMember(board.id)
  const { people, nameOf, members } = usePeople(board, locked)
  const { found, field } = usePeopleSearch(people)
  const mayRemove = ({ id }: UserSummary) => !locked && members.has(id) && mayRemoveMember(viewer, board, id)
  const [leaving, setLeaving] = useState<UserSummary | null>(null)
  const confirm = async () => {
    if (leaving) await removal.run(leaving.id)
    setLeaving(null)
  }
  return (
    <>
      {field}
      <ul className="-mx-1.5 flex max-h-74 flex-col overflow-y-auto short:max-h-none short:shrink-0" aria-label="Members">
        {found.map((person) => (
          <Row
            key={person.id}
            board={board}
            person={person}
            name={nameOf.get(person.id)}
            onLink={onLink}
            onRemove={mayRemove(person) ? () => setLeaving(person) : undefined}
          />
        ))}
      </ul>
      <Confirm
        open={!!leaving}
        onOpenChange={(open) => !open && setLeaving(null)}
        {...removalQuestion(leaving, viewer.id)}
        busy={removal.isPending}
        onConfirm={confirm}
      />
    </>
  )
}

/** The members, and for the creator also the imported names of people who are not members. */
function usePeople(board: Board, locked: boolean) {
  const mayOffer = mayOfferNames(useViewer(), board) && !locked
  const names = useNames(board)
  const nameOf = new Map(mayOffer ? names.map((name) => [name.user.id, name]) : [])
  const members = new Set(board.members.map(({ id }) => id))
  const others = [...nameOf.values()].flatMap(({ user }) => (members.has(user.id) ? [] : [user]))
  return { people: [...board.members, ...others], nameOf, members }
}

type RowProps = {
  board: Board
  person: UserSummary
  name: ImportedName | undefined
  onLink: OnLink
  onRemove: (() => void) | undefined
}

function Row({ board, person, name, onLink, onRemove }: RowProps) {
  const viewer = useViewer()
  const isHere = useUsersHere().has(person.id)
  return (
    <li className="flex items-center gap-1 rounded-card px-1.5 py-1 hover:bg-hover">
      <div className="flex min-h-icon min-w-0 flex-1 flex-col justify-center">
        <PersonLink user={person} className="flex min-w-0 items-center gap-2 rounded-card py-0.5">
          <Avatar user={person} here={isHere} />
          <span dir="auto" className="truncate">
            {displayName(person)}
          </span>
          {person.id === board.createdBy && <span className="shrink-0 text-quiet text-small">Creator</span>}
          {isHere && <span className="shrink-0 text-quiet text-small">Here now</span>}
          {isName(person) && <span className="shrink-0 text-quiet text-small">Imported</span>}
        </PersonLink>
        {name && (
          <div className="flex pl-8">
            <NameOwner board={board} name={name} onLink={onLink} />
          </div>
        )}
      </div>
      {onRemove && (
        <IconButton
          icon={X}
          label={person.id === viewer.id ? 'Leave the board' : `Remove ${displayName(person)}`}
          className="-mr-2.5 pointer-coarse:-mr-4"
          onClick={onRemove}
        />
      )}
    </li>
  )
}

const removalQuestion = (leaving: UserSummary | null, viewerId: number): Question =>
  leaving?.id === viewerId
    ? LEAVE_QUESTION
    : {
        title: 'Remove this member?',
        text: `${leaving ? displayName(leaving) : 'This member'} will lose access to this board and be unassigned from its tasks.`,
        action: 'Remove member',
        busyAction: 'Removing...',
      }

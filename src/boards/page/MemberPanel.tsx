import { X } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { mayOfferNames, mayRemoveMember } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import { NameOwner } from '../../imports/page/NameOwner'
import { useNames } from '../../imports/page/names'
import { OwnNames } from '../../imports/page/OwnNames'
import { RefusedNames } from '../../imports/page/RefusedNames'
import type { ImportedName } from '../../imports/schema'
import { AllowLinks, CopyInviteLink, LinkField } from '../../invitations/page/InviteLink'
import { OpenInvitations } from '../../invitations/page/OpenInvitations'
import { Avatar } from '../../users/page/Avatar'
import { PersonLink } from '../../users/page/PersonLink'
import { useFound } from '../../users/page/useFound'
import { displayName, isName, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { Field, Input } from '../../web/ui/Field'
import type { Board } from '../schema'
import { linkIn, useAddMember, useRemoveMember } from './cache'
import { LEAVE } from './LeaveBoard'
import { useHere } from './Presence'

export function MemberPanel({ board, locked }: { board: Board; locked: boolean }) {
  const [unsent, setUnsent] = useState<string>()
  return (
    <>
      {locked ? <NoInviting /> : <InviteForm boardId={board.id} onLink={setUnsent} />}
      {unsent && <LinkField label="No mail server is set up, so copy this link" link={unsent} />}
      {!locked && <CopyInviteLink board={board} />}
      {!locked && <OwnNames board={board} />}
      <MemberList board={board} locked={locked} onLink={setUnsent} />
      <OpenInvitations board={board} locked={locked} onLink={setUnsent} />
      {!locked && <RefusedNames board={board} />}
      {!locked && <AllowLinks board={board} />}
    </>
  )
}

const NoInviting = () => (
  <p className="text-pretty text-quiet">
    This board is read-only for you on the Free plan, so you cannot invite anyone to it.{' '}
    <UpgradeLink className="font-strong text-text underline underline-offset-4">Upgrade to Pro</UpgradeLink>
  </p>
)

/** With the link of an invitation that nobody mails. */
type OnLink = (link: string | undefined) => void

function InviteForm({ boardId, onLink }: { boardId: number; onLink: OnLink }) {
  const [who, setWho] = useState('')
  const invitation = useAddMember(boardId)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = who.trim()
    const outcome = given ? await invitation.run(given) : undefined
    if (!outcome) return
    setWho('')
    onLink(linkIn(outcome.answer))
  }
  const type = (text: string) => {
    setWho(text)
    invitation.forget()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Field label="Email address or username" unlabelled error={invitation.failure}>
        {(tied) => (
          <div className="flex gap-2">
            <Input
              {...tied}
              type="text"
              autoFocus
              inputMode="email"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="Email or username"
              autoComplete="off"
              value={who}
              onChange={(event) => type(event.target.value)}
            />
            <Button type="submit" look="primary" className="h-10" disabled={!who.trim()} busy={invitation.isPending}>
              Invite
            </Button>
          </div>
        )}
      </Field>
    </form>
  )
}

function MemberList({ board, locked, onLink }: { board: Board; locked: boolean; onLink: OnLink }) {
  const viewer = useViewer()
  const removal = useRemoveMember(board.id)
  const { people, nameOf, members } = usePeople(board, locked)
  const { found, field } = useFound(people)
  const mayRemove = ({ id }: UserSummary) => !locked && members.has(id) && mayRemoveMember(viewer, board, id)
  const [leaving, setLeaving] = useState<UserSummary | null>(null)
  const confirm = async () => {
    if (leaving) await removal.run(leaving.id)
    setLeaving(null)
  }
  return (
    <>
      {field}
      <ul className="-mx-1.5 flex max-h-64 flex-col overflow-y-auto" aria-label="Members">
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
        {...words(leaving, viewer.id)}
        busy={removal.isPending}
        onConfirm={confirm}
      />
    </>
  )
}

/** The members, and for the creator the names that left something and are none. */
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
  const isHere = useHere().has(person.id)
  return (
    <li className="flex items-center gap-1 rounded-card px-1.5 py-1 hover:bg-hover">
      <div className="min-w-0 flex-1">
        <PersonLink user={person} className="flex min-w-0 items-center gap-2 rounded-card py-0.5">
          <Avatar user={person} here={isHere} />
          <span dir="auto" className="truncate">
            {displayName(person)}
          </span>
          {person.id === board.createdBy && <span className="shrink-0 text-quiet text-small">Creator</span>}
          {isHere && <span className="shrink-0 text-quiet text-small">Here now</span>}
          {isName(person) && <span className="shrink-0 text-quiet text-small">imported</span>}
        </PersonLink>
        {name && (
          <div className="flex pl-8">
            <NameOwner board={board} name={name} onLink={onLink} />
          </div>
        )}
      </div>
      {onRemove && (
        <Button
          look="quiet"
          size="small-icon"
          aria-label={person.id === viewer.id ? 'Leave the board' : `Remove ${displayName(person)}`}
          onClick={onRemove}
        >
          <X className="size-3.5" aria-hidden />
        </Button>
      )}
    </li>
  )
}

const words = (leaving: UserSummary | null, viewerId: number) =>
  leaving?.id === viewerId
    ? LEAVE
    : {
        title: 'Remove Member',
        text: `${leaving ? displayName(leaving) : 'This member'} will lose access to this board, and their assignments on it end.`,
        action: 'Remove Member',
        busyAction: 'Removing...',
      }

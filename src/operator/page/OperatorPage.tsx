import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import * as Tabs from 'radix-ui/tabs'
import { useState } from 'react'
import { useServerOptions } from '../../auth/page/cache'
import { dayAt } from '../../days'
import { calendarDay } from '../../format'
import { PageTitle } from '../../time/page/HeaderTimer'
import { useViewer } from '../../users/page/viewer'
import { displayName } from '../../users/schema'
import { client } from '../../web/client'
import { trpc } from '../../web/queryClient'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'
import { TryAgain } from '../../web/ui/Failure'
import { Select } from '../../web/ui/Field'
import { NoSuchPage } from '../../web/ui/NotFound'
import { PageHeader } from '../../web/ui/Section'
import { Tab, TabList } from '../../web/ui/Tabs'
import type { Confirmation, ListedBoard, ListedInvitation } from '../schema'
import { AccountList } from './AccountList'
import { Listing, RowText } from './Listing'
import { ConfirmForm, useOperatorChange } from './operatorCalls'
import { ServerState } from './ServerState'

/** Other users do not learn that this page exists, unless the server has no operator yet. */
export function OperatorPage() {
  const { operator } = useViewer()
  const missing = useServerOptions()?.missingOperator
  if (operator) return <Panels />
  return missing ? <NoOperator by={missing} /> : <NoSuchPage />
}

const FIRST = 'people'
const TABS = [FIRST, 'boards', 'invitations', 'server']

function Panels() {
  const { part = FIRST } = useSearch({ from: '/operator' })
  const navigate = useNavigate({ from: '/operator' })
  const show = (name: string) => void navigate({ search: name === FIRST ? {} : { part: name }, replace: true })
  return (
    <div className="page">
      <PageTitle>Operator</PageTitle>
      <PageHeader
        title={<h1 className="font-strong">Operator</h1>}
        text={
          <p className="text-pretty text-quiet">
            People, boards and server health. You can see board names, but not what is on the boards.
          </p>
        }
      />
      <Tabs.Root value={TABS.includes(part) ? part : FIRST} onValueChange={show} className="flex flex-col gap-4">
        <TabList label="Operator sections">
          <Tab value="people">People</Tab>
          <Tab value="boards">Boards</Tab>
          <Tab value="invitations">Invitations</Tab>
          <Tab value="server">Server</Tab>
        </TabList>
        <div className="rounded-panel bg-surface p-5 shadow-card sm:p-8">
          <Tabs.Content value="people">
            <AccountList />
          </Tabs.Content>
          <Tabs.Content value="boards">
            <Boards />
          </Tabs.Content>
          <Tabs.Content value="invitations">
            <Invitations />
          </Tabs.Content>
          <Tabs.Content value="server">
            <ServerState />
          </Tabs.Content>
        </div>
      </Tabs.Root>
    </div>
  )
}

const HOW_TO_BECOME = {
  link: 'Open the setup link in the server’s log. Run “wrk setup” on the server to get a new one.',
  email:
    'Create an account with the email in OPERATOR_EMAIL, or request a sign-in link for that address. Then open the link we email you.',
}

const NoOperator = ({ by }: { by: keyof typeof HOW_TO_BECOME }) => (
  <div className="page">
    <PageTitle>Operator</PageTitle>
    <PageHeader
      title={<h1 className="font-strong">This server has no operator yet</h1>}
      text={<p className="max-w-160 text-balance text-quiet">{HOW_TO_BECOME[by]}</p>}
    />
  </div>
)

const Boards = () => (
  <Listing
    name="boards"
    find="Search boards by name or creator"
    empty="No boards yet."
    read={(given) => client.operator.boards.query(given)}
  >
    {(board) => <BoardRow board={board} />}
  </Listing>
)

function BoardRow({ board }: { board: ListedBoard }) {
  const [open, setOpen] = useState(false)
  const { name, creator, members, tasks } = board
  return (
    <>
      <RowText
        title={name}
        text={`Created by ${displayName(creator)}`}
        facts={`${members === 1 ? '1 member' : `${members} members`} · ${tasks === 1 ? '1 task' : `${tasks} tasks`}`}
      />
      <Button size="small" disabled={members < 2} onClick={() => setOpen(true)} aria-label={`Hand over ${name}`}>
        Hand over
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Hand over “${name}”`}
        description="Choose a member to be its new creator. They can then rename or delete the board, remove members and see hourly rates. We’ll email both the old and the new creator."
      >
        <HandOver board={board} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function HandOver({ board, onDone }: { board: ListedBoard; onDone(): void }) {
  const { data, error, isError, isFetching, refetch } = useQuery({
    ...trpc.operator.members.queryOptions({ boardId: board.id }),
    staleTime: 0,
  })
  const [userId, setUserId] = useState(0)
  const handOver = useOperatorChange(
    (given: Confirmation) => client.operator.handOver.mutate({ ...given, boardId: board.id, userId }),
    {
      title: 'Board Handed Over',
    },
  )
  if (isError)
    return (
      <TryAgain busy={isFetching} retry={() => void refetch()} error={error}>
        Its members could not be loaded.
      </TryAgain>
    )
  return (
    <ConfirmForm action="Hand over" call={handOver} disabled={userId === 0} onDone={onDone} onCancel={onDone}>
      <Select aria-label="New creator" value={userId} onChange={(event) => setUserId(Number(event.target.value))}>
        <option value={0}>{data ? 'Choose a member' : 'Loading…'}</option>
        {data
          ?.filter(({ id }) => id !== board.creator.id)
          .map((member) => (
            <option key={member.id} value={member.id}>
              {displayName(member)}
            </option>
          ))}
      </Select>
    </ConfirmForm>
  )
}

const Invitations = () => (
  <Listing
    name="invitations"
    find="Search invitations by email, username or board"
    empty="No open invitations."
    read={(given) => client.operator.invitations.query(given)}
  >
    {(invitation) => <InvitationRow invitation={invitation} />}
  </Listing>
)

function InvitationRow({ invitation: { id, email, user, board, inviter, expiresAt } }: { invitation: ListedInvitation }) {
  const invited = email ?? (user ? displayName(user) : 'Anyone with the link')
  const revoke = useOperatorChange(() => client.operator.revokeInvitation.mutate({ invitationId: id }), {
    title: 'Invitation Revoked',
  })
  const until = new Date(expiresAt)
  return (
    <>
      <RowText
        title={invited}
        text={`To “${board.name}”, by ${displayName(inviter)}`}
        facts={`${until < new Date() ? 'Expired' : 'Expires'} ${calendarDay(dayAt(until))}`}
      />
      <Button
        size="small"
        busy={revoke.isPending}
        onClick={() => revoke.mutate(undefined)}
        aria-label={`Revoke the invitation to ${invited}`}
        data-ignore-second-press
      >
        Revoke
      </Button>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { displayName } from '../../users/schema'
import { client } from '../../web/client'
import { trpc } from '../../web/trpc'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'
import { Select } from '../../web/ui/Select'
import { TryAgain } from '../../web/ui/TryAgain'
import type { Confirmation, ListedBoard } from '../schema'
import { ConfirmForm } from './ConfirmForm'
import { useOperate } from './cache'
import { Listing, RowText } from './Listing'

export const Boards = () => (
  <Listing
    name="boards"
    find="Find boards by name or creator"
    empty="There is no board."
    read={(given) => client.operator.boards.query(given)}
  >
    {(board) => <Row board={board} />}
  </Listing>
)

function Row({ board }: { board: ListedBoard }) {
  const [open, setOpen] = useState(false)
  const { name, creator, members, tasks } = board
  return (
    <>
      <RowText title={name} text={`Created by ${displayName(creator)}`} />
      <p className="tabular basis-44 text-quiet text-small max-sm:grow">
        {members === 1 ? '1 member' : `${members} members`} · {tasks === 1 ? '1 task' : `${tasks} tasks`}
      </p>
      <Button size="small" disabled={members < 2} onClick={() => setOpen(true)} aria-label={`Hand over ${name}`}>
        Hand over
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Hand over “${name}”`}
        description="One of its members is its creator from then on, who can rename and delete it, remove members, and see hourly rates. They are told by mail, and so is who had it."
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
  const handOver = useOperate((given: Confirmation) => client.operator.handOver.mutate({ ...given, boardId: board.id, userId }), {
    title: 'Board Handed Over',
  })
  if (isError)
    return (
      <TryAgain busy={isFetching} retry={() => void refetch()} error={error}>
        Its members could not be read.
      </TryAgain>
    )
  return (
    <ConfirmForm action="Hand Over" call={handOver} disabled={userId === 0} onDone={onDone} onCancel={onDone}>
      <Select aria-label="Its creator" value={userId} onChange={(event) => setUserId(Number(event.target.value))}>
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

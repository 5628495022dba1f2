import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { mayRemoveMember } from '../../access'
import { useViewer } from '../../users/page/viewer'
import { displayName, type Profile } from '../../users/schema'
import { client } from '../../web/client'
import { preview } from '../../web/plainText'
import { queryClient } from '../../web/queryClient'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { LoadFailed } from '../../web/ui/Failure'
import { Spinner } from '../../web/ui/Spinner'
import type { BoardListItem } from '../schema'
import { boardsQuery } from './cache'

type Props = { person: Profile; onClose(): void }

export const ManageAccess = ({ person, onClose }: Props) => (
  <Dialog
    open
    onOpenChange={(open) => !open && onClose()}
    title="Manage Board Access"
    description={`Choose which of your boards ${displayName(person)} is on.`}
    keep
  >
    <Boards person={person} onClose={onClose} />
  </Dialog>
)

function Boards({ person, onClose }: Props) {
  const { rows, isError, retry } = useBoardAccess(person)
  const [chosen, setChosen] = useState<Pending>(new Map())
  const pending = rows ? stillToDo(chosen, rows) : chosen
  const applying = useApplyAccess(person)
  const toggle = ({ board, isMember }: Access) => {
    const next = new Map(pending)
    if (!next.delete(board.id)) next.set(board.id, isMember ? 'remove' : 'add')
    setChosen(next)
  }
  const apply = () =>
    applying.mutate(pending, {
      onSuccess: ({ left }) => (left.size === 0 ? onClose() : setChosen(left)),
    })

  if (isError) return <LoadFailed retry={retry} />
  if (rows?.length === 0) return <NoBoards />
  return (
    <>
      <ul
        aria-label="Your boards"
        aria-busy={!rows}
        className="flex h-[220px] flex-col gap-0.5 overflow-y-auto rounded-card bg-column p-1.5"
      >
        {!rows && (
          <li className="m-auto">
            <Spinner />
          </li>
        )}
        {rows?.map((row) => (
          <li key={row.board.id}>
            <Row
              row={row}
              checked={row.isCreator || willBeMember(row, pending)}
              busy={applying.isPending}
              onToggle={() => toggle(row)}
            />
          </li>
        ))}
      </ul>
      <DialogButtons>
        <Button onClick={onClose} disabled={applying.isPending}>
          Cancel
        </Button>
        <Button look="primary" busy={applying.isPending} disabled={pending.size === 0} onClick={apply}>
          Apply Changes
        </Button>
      </DialogButtons>
    </>
  )
}

type RowProps = { row: Access; checked: boolean; busy: boolean; onToggle(): void }

function Row({ row: { board, isMember, isInvited, isCreator, whyFixed }, checked, busy, onToggle }: RowProps) {
  const id = useId()
  const fixed = isMember === undefined || whyFixed !== undefined
  const refuse = () => isCreator && toast({ variant: 'destructive', title: 'Cannot Remove Creator', description: whyFixed ?? '' })
  const tag = (isCreator && 'Creator') || (isMember && 'Member') || (isInvited && 'Invited')
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the reason is in the description of its box
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div onClick={refuse} className="flex items-start gap-2.5 rounded-card px-2 py-1.5 has-enabled:hover:bg-hover">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={fixed || busy}
        onChange={onToggle}
        aria-label={board.name}
        aria-describedby={`${id}-about`}
        className="checkbox mt-0.5 disabled:pointer-events-none"
      />
      <label htmlFor={id} className={`flex min-w-0 flex-1 flex-col ${fixed ? 'cursor-not-allowed!' : ''}`}>
        <span dir="auto" className="truncate font-strong">
          {board.name}
        </span>
        <span id={`${id}-about`} className="text-quiet text-small">
          <span dir="auto" className="line-clamp-2 break-words">
            {preview(board.description ?? '') || 'No description'}
          </span>
          {whyFixed && <span className={isCreator ? 'sr-only' : 'block pt-0.5 text-text'}>{whyFixed}</span>}
        </span>
      </label>
      {tag && <span className="shrink-0 rounded-chip bg-surface px-1.5 text-quiet text-small">{tag}</span>}
    </div>
  )
}

const NoBoards = () => (
  <div className="flex flex-col items-center gap-4 py-6 text-center">
    <p className="text-quiet">You don't have any boards yet.</p>
    <Button asChild look="primary">
      <Link to="/board/new">Create a Board</Link>
    </Button>
  </div>
)

/** `isMember` is undefined if the board could not be read. */
type Access = {
  board: BoardListItem
  isMember: boolean | undefined
  isInvited: boolean
  isCreator: boolean
  whyFixed: string | undefined
}

const CREATOR_STAYS = 'Board creators cannot be removed from their own boards.'
const ONLY_CREATOR = 'Only the board creator can remove members.'
const LOCKED = 'This board is read-only for you on the Free plan.'
const INVITED = 'They left this board and were invited back.'
const NOT_READ = 'This board could not be loaded.'

const ACCESS = 'board access'

/** The list of boards has no members and invitations, so each board's are read. */
const readAccess = (boards: BoardListItem[]) =>
  Promise.all(
    boards.map(async ({ id: boardId }) => {
      const [detail, invitations] = await Promise.allSettled([
        client.boards.get.query({ boardId }),
        client.invitations.list.query({ boardId }),
      ])
      return {
        members: detail.status === 'fulfilled' ? detail.value.members : undefined,
        invitations: invitations.status === 'fulfilled' ? invitations.value : [],
      }
    }),
  )

function useBoardAccess(person: Profile) {
  const viewer = useViewer()
  const { data: boards, isError, refetch } = useQuery({ ...boardsQuery(), staleTime: 0 })
  const { data: access } = useQuery({
    queryKey: [ACCESS, boards?.map(({ id }) => id)],
    queryFn: () => readAccess(boards ?? []),
    enabled: boards !== undefined,
    staleTime: 0,
  })
  const rows = boards?.map((board, nth): Access => {
    const { members, invitations = [] } = access?.[nth] ?? {}
    const isCreator = board.createdBy === person.id
    const isMember = members?.some(({ id }) => id === person.id)
    const isInvited = invitations.some(({ user }) => user?.id === person.id)
    const stays = isMember && !mayRemoveMember(viewer, board, person.id)
    const whyFixed =
      (isCreator && CREATOR_STAYS) ||
      (!members && NOT_READ) ||
      (board.locked && LOCKED) ||
      (stays && ONLY_CREATOR) ||
      (isInvited && INVITED) ||
      undefined
    return { board, isMember, isInvited, isCreator, whyFixed }
  })
  return { rows: access ? rows : undefined, isError, retry: () => void refetch() }
}

type Pending = ReadonlyMap<number, 'add' | 'remove'>

const willBeMember = ({ board, isMember = false }: Access, pending: Pending): boolean => {
  const change = pending.get(board.id)
  return change ? change === 'add' : isMember
}

/** Without what someone else has done meanwhile. */
const stillToDo = (pending: Pending, rows: Access[]): Pending =>
  new Map(
    [...pending].filter(([id, change]) => rows.some(({ board, isMember }) => board.id === id && (change === 'add') !== isMember)),
  )

type Outcome = { added: number; removed: number; failed: number; left: Pending }

/** Additions first, then removals, one by one; a failure does not stop the rest. */
async function applyAccess(person: Profile, pending: Pending): Promise<Outcome> {
  const { id: userId, username } = person
  const left = new Map(pending)
  const each = async (kind: 'add' | 'remove', change: (boardId: number) => Promise<unknown>) => {
    let done = 0
    for (const [boardId] of [...pending].filter(([, wanted]) => wanted === kind))
      try {
        await change(boardId)
        left.delete(boardId)
        done += 1
      } catch (error) {
        console.warn('Access to a board was not changed', error)
      }
    return done
  }
  const added = await each('add', (boardId) => client.boards.addMember.mutate({ boardId, username }))
  const removed = await each('remove', (boardId) => client.boards.removeMember.mutate({ boardId, userId }))
  if (left.size === pending.size) throw new NothingChanged()
  return { added, removed, failed: left.size, left }
}

class NothingChanged extends Error {}

function accessText({ added, removed, failed }: Pick<Outcome, 'added' | 'removed' | 'failed'>): string {
  const failures = failed > 0 ? ` ${failed} operation(s) failed.` : ''
  if (added > 0 && removed > 0) return `Added to ${added} board(s) and removed from ${removed} board(s).${failures}`
  return `${added > 0 ? `Invited to ${added} board(s).` : `Removed from ${removed} board(s).`}${failures}`
}

const useApplyAccess = (person: Profile) =>
  useMutation({
    mutationFn: (pending: Pending) => applyAccess(person, pending),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: [ACCESS] }), queryClient.invalidateQueries(boardsQuery())]),
    meta: {
      success: (outcome) => ({ title: 'Board Access Updated', description: accessText(outcome as Outcome) }),
      failure: (error) => ({
        title: 'Update Failed',
        description:
          error instanceof NothingChanged
            ? 'Failed to update board access. Please try again.'
            : 'Could not update board access. Please try again.',
      }),
    },
  })

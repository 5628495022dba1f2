import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { preview } from '../../web/preview'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { LoadFailed } from '../../web/ui/LoadFailed'
import { Spinner } from '../../web/ui/Spinner'
import { displayName, type Profile } from '../schema'
import { type Access, type Pending, useApplyAccess, useBoardAccess } from './useBoardAccess'

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
  const [pending, setPending] = useState<Pending>(new Map())
  const applying = useApplyAccess(person)
  const toggle = ({ board, isMember }: Access) => {
    const next = new Map(pending)
    if (!next.delete(board.id)) next.set(board.id, isMember ? 'remove' : 'add')
    setPending(next)
  }
  const apply = () =>
    applying.mutate(pending, {
      onSuccess: ({ left }) => (left.size === 0 ? onClose() : setPending(left)),
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
              checked={row.isCreator || pending.has(row.board.id) !== (row.isMember ?? false)}
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
        className="mt-0.5 size-4 shrink-0 accent-text disabled:pointer-events-none"
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
      {tag && <span className="shrink-0 rounded-card bg-surface px-1.5 py-0.5 text-quiet text-small">{tag}</span>}
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

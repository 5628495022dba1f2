import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, type SubmitEvent, useRef, useState } from 'react'
import { mayCreateBoard } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { UpgradeDialog } from '../../billing/page/UpgradeDialog'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import { fieldErrors } from '../../web/fieldErrors'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { FREE_BOARDS, newBoard } from '../schema'
import { boardsQuery, useCreateBoard } from './cache'

export function NewBoard({ openAtOnce, children }: { openAtOnce?: boolean; children(open: () => void): ReactNode }) {
  const { isPro } = useViewer()
  const [shown, setShown] = useState<'none' | 'create' | 'upgrade'>(openAtOnce ? 'create' : 'none')
  return (
    <>
      {children(() => setShown('create'))}
      <Dialog open={shown === 'create'} onOpenChange={(open) => setShown(open ? 'create' : 'none')} title="Create New Board" keep>
        <NewBoardForm onDone={() => setShown('none')} onLimit={() => setShown('upgrade')} />
      </Dialog>
      {/* After an upgrade in another window there is nothing left to buy. */}
      <UpgradeDialog open={shown === 'upgrade' && !isPro} onOpenChange={(open) => setShown(open ? 'upgrade' : 'none')} />
    </>
  )
}

type Typed = 'name' | 'description'

function NewBoardForm({ onDone, onLimit }: { onDone(): void; onLimit(): void }) {
  const navigate = useNavigate()
  const create = useCreateBoard()
  const { typed, type, discard } = useDraft<Typed>('new-board')
  const [tried, setTried] = useState(false)
  const name = useRef<HTMLInputElement>(null)
  const filledIn = { name: typed.name ?? '', description: typed.description ?? '' }
  const errors = fieldErrors<Typed>(newBoard, filledIn, tried)

  const cancel = () => {
    discard()
    onDone()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    const given = newBoard.safeParse(filledIn)
    if (!given.success) {
      if (fieldErrors<Typed>(newBoard, filledIn, true).name) name.current?.focus()
      return
    }
    create.mutate(given.data, {
      onSuccess: (board) => {
        cancel()
        void navigate({ to: '/board/$boardId', params: { boardId: board.id } })
      },
      onError: (error) => refusalOf(error)?.requiresUpgrade && onLimit(),
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <PlanIsFull />
      <Field label="Board Name" error={errors.name}>
        {(tied) => (
          <Input
            {...tied}
            ref={name}
            readOnly={create.isPending}
            value={filledIn.name}
            onChange={(event) => type({ name: event.target.value })}
            placeholder="e.g. Spring catalogue"
            autoComplete="off"
          />
        )}
      </Field>
      <Field label="Description (optional)" error={errors.description}>
        {(tied) => (
          <TextArea
            {...tied}
            readOnly={create.isPending}
            value={filledIn.description}
            onChange={(event) => type({ description: event.target.value })}
            placeholder="e.g. Everything that ships on the first of April"
          />
        )}
      </Field>
      <DialogButtons>
        <Button onClick={cancel} disabled={create.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={create.isPending} disabled={filledIn.name.trim() === ''}>
          Create Board
        </Button>
      </DialogButtons>
    </form>
  )
}

/** Shown before the form is filled in; the server decides. */
function PlanIsFull() {
  const viewer = useViewer()
  const own = useQuery(boardsQuery()).data?.filter(({ createdBy }) => createdBy === viewer.id).length ?? 0
  if (mayCreateBoard(viewer, own, FREE_BOARDS)) return null
  return (
    <p className="rounded-card bg-column px-3 py-2" role="note">
      The Free plan holds {FREE_BOARDS} board; you have {own === 1 ? 'one' : own}.{' '}
      <UpgradeLink className="font-strong underline underline-offset-4">Upgrade to Pro</UpgradeLink>
    </p>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { mayCreateBoard } from '../../access'
import { UpgradeDialog, UpgradeLink } from '../../billing/page/Upgrade'
import { useViewer } from '../../users/page/viewer'
import { lazySchema } from '../../web/lazyComponent'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { FREE_BOARDS } from '../limits'
import { boardsQuery, useCreateBoard } from './cache'

const useSchema = lazySchema(() => import('../schema').then((module) => module.newBoard))

type Props = { openAtOnce?: boolean; onClose?(): void; children?(open: () => void): ReactNode }

export function NewBoard({ openAtOnce, onClose, children }: Props) {
  const { isPro } = useViewer()
  const [shown, show] = useState<'none' | 'create' | 'upgrade'>(openAtOnce ? 'create' : 'none')
  const setShown = (next: typeof shown) => {
    show(next)
    if (next === 'none') onClose?.()
  }
  const onPro = useEffectEvent(() => shown === 'upgrade' && setShown('none'))
  // After an upgrade in another window there is nothing left to buy.
  useEffect(() => void (isPro && onPro()), [isPro])
  // The sidebar and its button stay: on the new board, the focus belongs to the board.
  const leaves = useRef(false)
  return (
    <>
      {children?.(() => {
        leaves.current = false
        setShown('create')
      })}
      <Dialog
        open={shown === 'create'}
        onOpenChange={(open) => setShown(open ? 'create' : 'none')}
        title="Create New Board"
        keep
        passesFocus={() => leaves.current}
      >
        <NewBoardForm
          onDone={(isLeaving) => {
            leaves.current = isLeaving
            setShown('none')
          }}
          onLimit={() => setShown('upgrade')}
        />
      </Dialog>
      {shown === 'upgrade' && <UpgradeDialog open onOpenChange={() => setShown('none')} />}
    </>
  )
}

function NewBoardForm({ onDone, onLimit }: { onDone(isLeaving: boolean): void; onLimit(): void }) {
  const navigate = useNavigate()
  const create = useCreateBoard()
  const form = useForm(useDraft('new-board', { name: '', description: '' }), { schema: useSchema(), early: 'too long' })

  const close = (isLeaving: boolean, saved?: typeof form.values) => {
    form.discard(saved)
    onDone(isLeaving)
  }
  const submit = form.submit((given) => {
    const { pathname } = window.location
    // Callbacks of `mutate` would be lost with this form: a live message may replace it with the first board.
    return create.mutateAsync(given).then(
      (board) => {
        // A user who closed the dialog and went elsewhere stays there.
        const isLeaving = window.location.pathname === pathname
        close(isLeaving, form.values)
        if (isLeaving) void navigate({ to: '/board/$boardId', params: { boardId: board.id } })
      },
      (error) => refusalOf(error)?.requiresUpgrade && onLimit(),
    )
  })
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <PlanIsFull />
      <Field label="Board Name" error={form.errors.name}>
        {(tied) => (
          <Input
            {...tied}
            {...form.text('name')}
            autoFocus
            readOnly={create.isPending}
            placeholder="e.g. Spring catalogue"
            autoComplete="off"
          />
        )}
      </Field>
      <Field label="Description (optional)" error={form.errors.description}>
        {(tied) => (
          <TextArea
            {...tied}
            {...form.text('description')}
            readOnly={create.isPending}
            placeholder="e.g. Everything that ships on the first of April"
          />
        )}
      </Field>
      <DialogButtons>
        <Button onClick={() => close(false)} disabled={create.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={create.isPending} disabled={form.values.name.trim() === ''}>
          Create Board
        </Button>
      </DialogButtons>
    </form>
  )
}

/** Shown before anything is filled in; the server decides. */
export function PlanIsFull({ children }: { children?: ReactNode }) {
  const viewer = useViewer()
  const own = useQuery(boardsQuery()).data?.filter(({ createdBy }) => createdBy === viewer.id).length ?? 0
  if (mayCreateBoard(viewer, own, FREE_BOARDS)) return null
  return (
    <p className="rounded-card bg-column px-3 py-2" role="note">
      The Free plan includes {FREE_BOARDS} board; you have {own === 1 ? 'one' : own}.{' '}
      <UpgradeLink className="font-strong underline underline-offset-4">Upgrade to Pro</UpgradeLink>
      {children}
    </p>
  )
}

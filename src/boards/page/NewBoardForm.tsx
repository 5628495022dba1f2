import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { mayCreateBoard } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { UpgradeLink } from '../../billing/page/UpgradeLink'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { FREE_BOARDS, newBoard } from '../schema'
import { boardsQuery, useCreateBoard } from './cache'

export function NewBoardForm({ onDone, onLimit }: { onDone(): void; onLimit(): void }) {
  const navigate = useNavigate()
  const create = useCreateBoard()
  const form = useForm(useDraft('new-board', { name: '', description: '' }), { schema: newBoard, early: 'too long' })

  const cancel = () => {
    form.discard()
    onDone()
  }
  const submit = form.submit((given) =>
    create.mutate(given, {
      onSuccess: (board) => {
        cancel()
        void navigate({ to: '/board/$boardId', params: { boardId: board.id } })
      },
      onError: (error) => refusalOf(error)?.requiresUpgrade && onLimit(),
    }),
  )
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
        <Button onClick={cancel} disabled={create.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={create.isPending} disabled={form.values.name.trim() === ''}>
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

import { useNavigate } from '@tanstack/react-router'
import { refusalOf } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { newBoard } from '../schema'
import { useCreateBoard } from './cache'
import { PlanIsFull } from './PlanIsFull'

export function NewBoardForm({ onDone, onLimit }: { onDone(): void; onLimit(): void }) {
  const navigate = useNavigate()
  const create = useCreateBoard()
  const form = useForm(useDraft('new-board', { name: '', description: '' }), { schema: newBoard, early: 'too long' })

  const cancel = () => {
    form.discard()
    onDone()
  }
  const submit = form.submit((given) => {
    const { pathname } = window.location
    // Callbacks of `mutate` would go with this form: a first board takes its place once the live channel tells of it.
    return create.mutateAsync(given).then(
      (board) => {
        cancel()
        // Whoever has closed the dialog and gone elsewhere meanwhile stays there.
        if (window.location.pathname === pathname) void navigate({ to: '/board/$boardId', params: { boardId: board.id } })
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

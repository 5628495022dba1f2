import { zodResolver } from '@hookform/resolvers/zod'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { UpgradeDialog } from '../billing/UpgradeDialog'
import { refusalOf } from '../web/trpc'
import { Button } from '../web/ui/Button'
import { Dialog, DialogButtons } from '../web/ui/Dialog'
import { Field, Input, TextArea } from '../web/ui/Field'
import { useCreateBoard } from './cache'
import { newBoard } from './inputs'

type Given = z.input<typeof newBoard>

/** What opens the Create New Board dialog, with the dialog; `children` gets the function that opens it. */
export function NewBoard({ children }: { children(open: () => void): ReactNode }) {
  const [shown, setShown] = useState<'none' | 'create' | 'upgrade'>('none')
  return (
    <>
      {children(() => setShown('create'))}
      <Dialog open={shown === 'create'} onOpenChange={(open) => setShown(open ? 'create' : 'none')} title="Create New Board" keep>
        <NewBoardForm onDone={() => setShown('none')} onLimit={() => setShown('upgrade')} />
      </Dialog>
      <UpgradeDialog open={shown === 'upgrade'} onOpenChange={(open) => setShown(open ? 'upgrade' : 'none')} />
    </>
  )
}

function NewBoardForm({ onDone, onLimit }: { onDone(): void; onLimit(): void }) {
  const navigate = useNavigate()
  const create = useCreateBoard()
  const form = useForm<Given, unknown, z.output<typeof newBoard>>({
    resolver: zodResolver(newBoard),
    defaultValues: { name: '', description: '' },
  })
  const { errors } = form.formState
  const submit = form.handleSubmit((given) =>
    create.mutate(given, {
      onSuccess: (board) => {
        onDone()
        void navigate({ to: '/board/$boardId', params: { boardId: board.id } })
      },
      onError: (error) => refusalOf(error)?.requiresUpgrade && onLimit(),
    }),
  )
  const blank = form.watch('name').trim() === ''
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <Field label="Board Name" error={errors.name?.message}>
        {(tied) => <Input {...tied} {...form.register('name')} placeholder="e.g. Spring catalogue" autoComplete="off" />}
      </Field>
      <Field label="Description (optional)" error={errors.description?.message}>
        {(tied) => (
          <TextArea
            {...tied}
            {...form.register('description')}
            rows={3}
            placeholder="e.g. Everything that ships on the first of April"
          />
        )}
      </Field>
      <DialogButtons>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" busy={create.isPending} disabled={blank}>
          Create Board
        </Button>
      </DialogButtons>
    </form>
  )
}

import { type SubmitEvent, useState } from 'react'
import { PasswordInput } from '../../auth/page/PasswordInput'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field } from '../../web/ui/Field'
import type { Security } from '../schema'
import { useDeleteAccount } from './cache'

export function DeleteAccount({ security }: { security: Security }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet-danger" className="-ml-3 self-start" onClick={() => setOpen(true)}>
        Delete Account…
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Delete your account?" description="This cannot be undone.">
        <WhatGoes boards={security.boards} />
        {security.mayDelete ? (
          <Confirmation hasPassword={security.hasPassword} onCancel={() => setOpen(false)} />
        ) : (
          <p role="note" className="rounded-card bg-column px-3 py-2">
            To be sure that it is you, please log out, sign in again, and come back within 15 minutes.
          </p>
        )}
      </Dialog>
    </>
  )
}

const others = (count: number) =>
  count === 0 ? 'only you are on it' : `${count} other ${count === 1 ? 'person loses' : 'people lose'} it`

const WhatGoes = ({ boards }: Pick<Security, 'boards'>) => (
  <ul className="flex list-disc flex-col gap-2 pl-5">
    {boards.length === 0 ? (
      <li>You have created no boards, so none is deleted.</li>
    ) : (
      <li>
        These boards are deleted with everything on them, for everyone:
        <ul className="mt-1 flex max-h-40 flex-col gap-1 overflow-y-auto">
          {boards.map((board) => (
            <li key={board.id}>
              <bdi className="break-words font-strong">{board.name}</bdi>{' '}
              <span className="text-quiet">({others(board.others)})</span>
            </li>
          ))}
        </ul>
      </li>
    )}
    <li>Your comments, files, time entries and activity on other boards are deleted.</li>
    <li>Tasks that you created on other boards stay, without your name.</li>
  </ul>
)

function Confirmation({ hasPassword, onCancel }: { hasPassword: boolean; onCancel(): void }) {
  const remove = useDeleteAccount()
  const [password, setPassword] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    remove.mutate(password)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {hasPassword && (
        <Field label="Your Password">
          {(tied) => (
            <PasswordInput
              {...tied}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              autoComplete="current-password"
            />
          )}
        </Field>
      )}
      <DialogButtons>
        <Button onClick={onCancel} disabled={remove.isPending}>
          Keep Account
        </Button>
        <Button type="submit" look="danger" busy={remove.isPending} disabled={hasPassword && password === ''}>
          {remove.isPending ? 'Deleting…' : 'Delete Account'}
        </Button>
      </DialogButtons>
    </form>
  )
}

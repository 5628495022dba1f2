import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useSecurity } from '../../account/page/cache'
import { ConfirmPassword } from '../../auth/page/PasswordInput'
import { Button } from '../../web/ui/Button'
import { DialogButtons } from '../../web/ui/Dialog'
import type { Confirmation } from '../schema'

type Props = {
  action: string
  /** Refusals show as toasts, too. */
  call: UseMutationResult<unknown, Error, Confirmation>
  disabled?: boolean
  onDone?(): void
  onCancel(): void
  /** Fields above that of the password. */
  children?: ReactNode
}

/** What takes the operator's own password again, if they have one. */
export function ConfirmForm({ action, call, disabled = false, onDone, onCancel, children }: Props) {
  const hasPassword = useSecurity().data?.hasPassword !== false
  const [password, setPassword] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    call.mutate(hasPassword ? { password } : {}, { onSuccess: onDone })
  }
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {children}
      {hasPassword && <ConfirmPassword call={call} value={password} onValue={setPassword} />}
      <DialogButtons>
        <Button onClick={onCancel} disabled={call.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={call.isPending} disabled={disabled || (hasPassword && password === '')}>
          {action}
        </Button>
      </DialogButtons>
    </form>
  )
}

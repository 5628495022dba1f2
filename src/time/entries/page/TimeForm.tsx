import type { ReactNode } from 'react'
import { Button } from '../../../web/ui/Button'
import { DialogButtons } from '../../../web/ui/Dialog'
import { TimeFields } from './TimeFields'
import type { TimeValues, useTimeForm } from './useTimeForm'

type Props = {
  form: ReturnType<typeof useTimeForm>
  busy: boolean
  action: string
  cancel?: string
  dayless?: boolean
  locked?: boolean
  /** Receives changes that do not all go into the form's draft. */
  onType?(changes: Partial<TimeValues>): void
  children?: ReactNode
}

export const TimeForm = ({ form, busy, action, cancel = 'Cancel', dayless, locked, onType = form.type, children }: Props) => (
  <form onSubmit={form.submit} className="flex flex-col gap-4" noValidate>
    <TimeFields values={form.values} errors={form.errors} busy={busy} dayless={dayless} locked={locked} onType={onType} />
    <DialogButtons>
      {children}
      <Button onClick={form.close} disabled={busy}>
        {cancel}
      </Button>
      <Button type="submit" look="primary" busy={busy}>
        {action}
      </Button>
    </DialogButtons>
  </form>
)

import type { ReactNode } from 'react'
import { Button } from '../../../web/ui/Button'
import { DialogButtons } from '../../../web/ui/Dialog'
import { TimeFields } from './TimeFields'
import type { TimeForm as Form } from './useTimeForm'

type Props = {
  form: Form
  busy: boolean
  action: string
  cancel?: string
  dayless?: boolean
  locked?: boolean
  children?: ReactNode
}

export const TimeForm = ({ form, busy, action, cancel = 'Cancel', dayless, locked, children }: Props) => (
  <form onSubmit={form.submit} className="flex flex-col gap-4" noValidate>
    <TimeFields form={form} busy={busy} dayless={dayless} locked={locked} />
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

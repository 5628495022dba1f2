import type { SubmitEvent } from 'react'
import { dayAt } from '../tasks/display'
import type { Task } from '../tasks/inputs'
import { Button } from '../web/ui/Button'
import { Dialog, DialogButtons } from '../web/ui/Dialog'
import { useAddTime } from './cache'
import { onDay, ownZone } from './display'
import { TimeFields } from './TimeFields'
import { useTimeForm } from './useTimeForm'

type Props = { boardId: number; task: Task; open: boolean; onClose(): void }

/** The Add Time Entry dialog; what is typed into it stays until the server has it. */
export const AddTime = ({ open, ...rest }: Props) => (
  <Dialog open={open} onOpenChange={(next) => !next && rest.onClose()} title="Add Time Entry" description={rest.task.title} keep>
    <AddForm {...rest} />
  </Dialog>
)

function AddForm({ boardId, task, onClose }: Omit<Props, 'open'>) {
  const addition = useAddTime(boardId)
  const { values, errors, type, discard, check } = useTimeForm(`time-${task.id}`, { ...EMPTY, day: dayAt(new Date()) })
  const close = () => {
    discard()
    onClose()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const duration = check()
    if (duration === undefined) return
    const startTime = onDay(values.day, new Date()).toISOString()
    const given = { startTime, duration, note: values.note, timeZone: ownZone(), notify: !values.silent }
    if (await addition.run({ task, given })) close()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <TimeFields values={values} errors={errors} busy={addition.isPending} onType={type} />
      <DialogButtons>
        <Button onClick={close} disabled={addition.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={addition.isPending}>
          Add Time Entry
        </Button>
      </DialogButtons>
    </form>
  )
}

/** Hours 1, minutes 0, members are told (board-page.md, section 5). */
const EMPTY = { hours: '1', minutes: '0', note: '', silent: '' }

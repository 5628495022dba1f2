import { type SubmitEvent, useState } from 'react'
import { Button } from '../web/ui/Button'
import { Dialog, DialogButtons } from '../web/ui/Dialog'
import { useStopTimer } from './cache'
import { DeleteTime } from './DeleteTime'
import { fieldsOf } from './display'
import { countedBy, durationText, isOverdue, overdueText, roundedMinutes, type TimeEntry } from './inputs'
import { TimeFields } from './TimeFields'
import { serverNow } from './useNow'
import { type TimeValues, useTimeForm } from './useTimeForm'

type Props = { boardId: number; timer: TimeEntry; onClose(): void }

/** Asks for the note of a timer that stops, and lets one trim it. */
export const StopTimer = (props: Props) => {
  // What is asked about is what was counted as one stopped: writing the note is no work.
  const [stopped] = useState(() => {
    const now = serverNow()
    return { counted: countedBy(props.timer, now), overdue: isOverdue(props.timer, now) }
  })
  const { counted, overdue } = stopped
  const ran = `${props.timer.task}: ${durationText(roundedMinutes(counted))}`
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title="Stop Timer"
      description={overdue ? overdueText(counted) : ran}
      keep
    >
      <StopForm {...props} {...stopped} />
    </Dialog>
  )
}

/** What nobody watched is not offered as work. */
const UNKNOWN = { hours: '', minutes: '' }

function StopForm({ boardId, timer, counted, overdue, onClose }: Props & { counted: number; overdue: boolean }) {
  const stop = useStopTimer(boardId)
  // No draft, as the rest is: for another stop of the same timer it would be wrong.
  const [{ hours, minutes }, setTime] = useState(overdue ? UNKNOWN : fieldsOf(roundedMinutes(counted)))
  const current = { hours, minutes, note: timer.note ?? '', day: timer.day, silent: '' }
  const { values, errors, type, discard, check } = useTimeForm(`timer-${timer.id}`, current)
  const take = ({ hours: typedHours = hours, minutes: typedMinutes = minutes, ...rest }: Partial<TimeValues>) => {
    setTime({ hours: typedHours, minutes: typedMinutes })
    type(rest)
  }
  const close = () => {
    discard()
    onClose()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const duration = check()
    if (duration === undefined) return
    const changes = { status: 'completed', duration, note: values.note, notify: !values.silent } as const
    if (await stop.run({ entry: timer, changes })) close()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      <TimeFields values={values} errors={errors} busy={stop.isPending} dayless onType={take} />
      <DialogButtons>
        <DeleteTime boardId={boardId} entry={timer} disabled={stop.isPending} onDeleted={close} />
        <Button onClick={close} disabled={stop.isPending}>
          Keep timer
        </Button>
        <Button type="submit" look="primary" busy={stop.isPending}>
          Stop timer
        </Button>
      </DialogButtons>
    </form>
  )
}

import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useIsLocked } from '../../../boards/page/cache'
import { useLiveMessages } from '../../../web/live/socket'
import { toast } from '../../../web/toast'
import { Dialog } from '../../../web/ui/Dialog'
import { withCopy } from '../../../web/unsavedText'
import { useDraft } from '../../../web/useDraft'
import { type Fields, useFields } from '../../../web/useForm'
import { DeleteTime } from '../../entries/page/DeleteTime'
import { fieldsOf } from '../../entries/page/display'
import { TimeForm } from '../../entries/page/TimeForm'
import { serverNow } from '../../entries/page/useNow'
import { type TimeValues, useTimeForm } from '../../entries/page/useTimeForm'
import { durationText, type TimeEntry } from '../../entries/schema'
import { elapsedMs, isOverdue, overdueText, roundedMinutes } from '../schema'
import { useStopTimer } from './cache'

type Props = {
  boardId: number
  timer: TimeEntry
  onClose(): void
  /** After it was stopped or deleted: takes the focus. */
  onGone(): void
}

export const StopTimer = (props: Props) => {
  // The time of the click counts, not that of writing the note.
  const [stopped] = useState(() => {
    const now = serverNow()
    return { counted: elapsedMs(props.timer, now), overdue: isOverdue(props.timer, now) }
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

const UNKNOWN = { hours: '', minutes: '' }

function StopForm({ boardId, timer, counted, overdue, onClose, onGone }: Props & { counted: number; overdue: boolean }) {
  const stop = useStopTimer(boardId)
  const locked = useIsLocked(boardId)
  const isSent = useRef(false)
  const note = timer.note ?? ''
  const form = useTimeForm(useStopFields(timer, overdue ? UNKNOWN : fieldsOf(roundedMinutes(counted))), {
    onClose,
    onSent: onGone,
    async send(values, duration) {
      isSent.current = true
      const changes = {
        ...({ status: 'completed', duration, note: values.note, notify: !values.isSilent } as const),
        // On a locked board only what belongs to the stop may change.
        ...(!locked && { billable: !values.isUnbilled }),
      }
      const answer = await stop.run({ entry: timer, changes })
      isSent.current = answer !== undefined
      return answer
    },
  })
  const closeOnEnd = (entryId: number) => {
    if (isSent.current || entryId !== timer.id) return
    const written = form.values.note
    if (written !== note) toast({ title: 'Timer stopped elsewhere', ...withCopy(written), description: NOTE_KEPT })
    form.close()
  }
  useLiveMessages({
    time_entry_updated: ({ entry }) => entry.status === 'completed' && closeOnEnd(entry.id),
    time_entry_deleted: ({ entryId }) => closeOnEnd(entryId),
  })
  return (
    <TimeForm form={form} busy={stop.isPending} action="Stop timer" cancel="Keep timer" dayless locked={locked}>
      {!locked && (
        <DeleteTime
          boardId={boardId}
          entry={timer}
          disabled={stop.isPending}
          onDeleted={() => {
            isSent.current = true
            flushSync(form.close)
            onGone()
          }}
        />
      )}
    </TimeForm>
  )
}

type Time = Pick<TimeValues, 'hours' | 'minutes'>

/** The time is no draft, as the rest is: for another stop of the same timer it would be wrong. */
function useStopFields(timer: TimeEntry, counted: Time): Fields<TimeValues> {
  const time = useFields(counted)
  const { note, day, billable } = timer
  const draft = useDraft<Omit<TimeValues, keyof Time>>(`timer-${timer.id}`, {
    note: note ?? '',
    day,
    isSilent: false,
    isUnbilled: !billable,
  })
  return {
    values: { ...time.values, ...draft.values },
    typed: { ...time.typed, ...draft.typed },
    isDraft: true,
    type({ hours = time.values.hours, minutes = time.values.minutes, ...kept }) {
      time.type({ hours, minutes })
      draft.type(kept)
    },
    discard() {
      time.discard()
      draft.discard()
    },
  }
}

const NOTE_KEPT = 'The note that you were writing is not lost.'

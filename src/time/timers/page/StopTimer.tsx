import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useIsLocked } from '../../../boards/page/cache'
import type { ServerMessage } from '../../../messages'
import { useLiveMessages } from '../../../web/socket'
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
import { countedBy, durationText, isOverdue, overdueText, roundedMinutes, type TimeEntry } from '../../entries/schema'
import { useStopTimer } from './cache'

type Props = {
  boardId: number
  timer: TimeEntry
  onClose(): void
  /** After it was stopped or deleted: takes the focus. */
  onGone(): void
}

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
        // On a locked board nothing may change but what belongs to the stop.
        ...(!locked && { billable: !values.isUnbilled }),
      }
      const answer = await stop.run({ entry: timer, changes })
      isSent.current = answer !== undefined
      return answer
    },
  })
  useLiveMessages((message) => {
    if (isSent.current || !isEnd(message, timer.id)) return
    const written = form.values.note
    if (written !== note) toast({ title: 'Timer stopped elsewhere', ...withCopy(written), description: NOTE_KEPT })
    form.close()
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

/** Whether a message says that a timer is one no longer. */
const isEnd = ({ type, payload }: ServerMessage, timerId: number) =>
  (type === 'time_entry_updated' && payload.entry.id === timerId && payload.entry.status === 'completed') ||
  (type === 'time_entry_deleted' && payload.entryId === timerId)

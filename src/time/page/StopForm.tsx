import { useEffect, useEffectEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useIsLocked } from '../../boards/page/cache'
import { toast, withCopy } from '../../web/toast'
import { useDraft } from '../../web/useDraft'
import { type Fields, useFields } from '../../web/useForm'
import { roundedMinutes } from '../limits'
import type { TimeEntry } from '../schema'
import { useStopTimer } from './cache'
import { hoursAndMinutes } from './duration'
import { DeleteTime } from './EditTime'
import { loadTimeFields, TimeForm, type TimeValues, useTimeForm } from './TimeForm'
import { hasEnded } from './timersCache'

export type StopProps = {
  boardId: number
  timer: TimeEntry
  onClose(): void
  /** Takes the focus once the timer is stopped or deleted. */
  onGone(): void
}

/** The form with its checks, so that a timer can be stopped without a connection. */
export const loadStopForm = () => loadTimeFields().then(() => StopForm)

const UNKNOWN = { hours: '', minutes: '' }

function StopForm({ boardId, timer, counted, overdue, onClose, onGone }: StopProps & { counted: number; overdue: boolean }) {
  const stop = useStopTimer(boardId)
  const locked = useIsLocked(boardId)
  /** Whether this form stops the timer, or knows that it has stopped. */
  const isDone = useRef(false)
  const note = timer.note ?? ''
  const form = useTimeForm(useStopFields(timer, overdue ? UNKNOWN : hoursAndMinutes(roundedMinutes(counted))), {
    onClose,
    onSent: onGone,
    async send(values, duration) {
      isDone.current = true
      const changes = {
        ...({ status: 'completed', duration, note: values.note, notify: !values.isSilent } as const),
        // On a locked board only what belongs to the stop may change.
        ...(!locked && { billable: !values.isUnbilled }),
      }
      const answer = await stop.run({ entry: timer, changes })
      isDone.current = answer !== undefined
      if (!answer) rescueNote(values.note)
      return answer
    },
  })
  function rescueNote(written: string) {
    if (isDone.current || !hasEnded(timer.id)) return
    isDone.current = true
    if (written !== note) toast({ title: 'Timer Stopped Elsewhere', ...withCopy(written), description: NOTE_KEPT })
    form.discard()
    onGone()
  }
  const leave = useEffectEvent(() => rescueNote(form.values.note))
  // However the page learns that a timer stopped, its buttons go, and this form with them.
  useEffect(() => () => leave(), [])
  return (
    <TimeForm
      form={form}
      busy={stop.isPending}
      action="Stop timer"
      cancel={timer.status === 'PAUSED' ? 'Keep it paused' : 'Keep running'}
      dayless
      locked={locked}
    >
      {!locked && (
        <DeleteTime
          boardId={boardId}
          entry={timer}
          disabled={stop.isPending}
          onDeleted={() => {
            isDone.current = true
            flushSync(form.close)
            onGone()
          }}
        />
      )}
    </TimeForm>
  )
}

type Time = Pick<TimeValues, 'hours' | 'minutes'>

/** Unlike the rest, the time is no draft: it would be wrong when the same timer is stopped again. */
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

const NOTE_KEPT = 'The note you were writing is not lost.'

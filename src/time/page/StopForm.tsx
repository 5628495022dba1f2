import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useIsLocked } from '../../boards/page/cache'
import { serverNow } from '../../web/clock'
import { toast, withCopy } from '../../web/toast'
import { useDraft } from '../../web/useDraft'
import { type Fields, useFields } from '../../web/useForm'
import { elapsedMs, overdueText } from '../limits'
import type { TimeEntry } from '../schema'
import { useStopTimer } from './cache'
import { DeleteTime } from './EditTime'
import { TimeForm, type TimeValues, useTimeForm } from './TimeForm'
import { hasEnded } from './timersCache'

type Props = {
  timer: TimeEntry
  onClose(): void
  /** Takes the focus once the timer is stopped or deleted. */
  onGone(): void
}

export function StopForm({ timer, onClose, onGone }: Props) {
  const stop = useStopTimer(timer.boardId)
  const locked = useIsLocked(timer.boardId)
  // The time of the click counts, not when the note was written.
  const [counted] = useState(() => elapsedMs(timer, serverNow()))
  /** Whether this form is stopping the timer, or knows that it stopped. */
  const isDone = useRef(false)
  const form = useTimeForm(useStopFields(timer), {
    onClose,
    onSent: onGone,
    async send({ note, notify, billable }, duration) {
      isDone.current = true
      // On a locked board only the stop itself may change anything.
      const changes = { status: 'completed', duration, note, notify, ...(!locked && { billable }) } as const
      const answer = await stop.run({ entry: timer, changes })
      isDone.current = answer !== undefined
      if (!answer) rescueNote(note)
      return answer
    },
  })
  function rescueNote(written: string) {
    if (isDone.current || !hasEnded(timer.id)) return
    isDone.current = true
    const description = 'Copy your note to keep it.'
    if (written !== (timer.note ?? '')) toast({ title: 'Timer stopped elsewhere', ...withCopy(written), description })
    form.discard()
    onGone()
  }
  const leave = useEffectEvent(() => rescueNote(form.values.note))
  // However the page learns that a timer stopped, its buttons disappear, and this form with them.
  useEffect(() => () => leave(), [])
  return (
    <TimeForm
      title="Stop timer"
      description={overdueText(counted)}
      form={form}
      busy={stop.isPending}
      action="Stop timer"
      cancel={timer.status === 'PAUSED' ? 'Keep paused' : 'Keep running'}
      dayless
      locked={locked}
      onClose={onClose}
    >
      {!locked && (
        <DeleteTime
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

const UNKNOWN = { hours: '', minutes: '' }

/** Unlike the rest, the time is no draft: it would be wrong when the same timer is stopped again. */
function useStopFields(timer: TimeEntry): Fields<TimeValues> {
  const time = useFields(UNKNOWN)
  const { note, day, billable } = timer
  const draft = useDraft<Omit<TimeValues, keyof typeof UNKNOWN>>(`timer-${timer.id}`, {
    note: note ?? '',
    day,
    notify: true,
    billable,
  })
  return {
    values: { ...time.values, ...draft.values },
    typed: { ...time.typed, ...draft.typed },
    isDraft: true,
    type({ hours = time.values.hours, minutes = time.values.minutes, ...kept }) {
      time.type({ hours, minutes })
      draft.type(kept)
    },
    discard(saved) {
      time.discard()
      draft.discard(saved)
    },
  }
}

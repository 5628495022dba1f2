import { useState } from 'react'
import { lazyComponent } from '../../../web/lazy'
import { serverNow } from '../../../web/serverClock'
import { Dialog } from '../../../web/ui/Dialog'
import { durationText } from '../../entries/schema'
import { elapsedMs, isOverdue, overdueText, roundedMinutes } from '../schema'
import type { StopProps } from './StopForm'

export const StopForm = lazyComponent(() => import('./StopForm').then((module) => module.StopForm))

export const StopTimer = (props: StopProps) => {
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
      <StopForm {...props} {...stopped} fallback={<div className="h-64" aria-busy />} onLost={props.onClose} />
    </Dialog>
  )
}

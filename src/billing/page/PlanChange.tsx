import { useRef, useState } from 'react'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { useCancelSubscription, useResumeSubscription } from './cache'

export function PlanChange({ cancelling }: { cancelling: boolean }) {
  const changes = { cancel: useCancelSubscription(), resume: useResumeSubscription() }
  const possible = cancelling ? 'resume' : 'cancel'
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  // Keeps the question as it was asked, though the plan may change while it is answered.
  const [asked, setAsked] = useState<typeof possible>(possible)
  const ask = () => {
    setAsked(possible)
    setOpen(true)
  }
  const giveBack = (event: Event) => {
    event.preventDefault()
    button.current?.focus()
  }
  return (
    <>
      <Button ref={button} look={cancelling ? 'primary' : 'plain'} onClick={ask}>
        {QUESTIONS[possible].title}
      </Button>
      <Confirm
        {...QUESTIONS[asked]}
        open={open}
        onOpenChange={setOpen}
        busy={changes[asked].isPending}
        onConfirm={() => changes[asked].mutate(undefined, { onSuccess: () => setOpen(false) })}
        onCloseAutoFocus={giveBack}
      />
    </>
  )
}

const QUESTIONS = {
  cancel: {
    title: 'Cancel Subscription',
    text: 'Your subscription stays active until the end of the billing period. Then your account is downgraded to Free, with 1 board and unlimited collaborators. You can resume it any time before it expires.',
    keep: 'Keep Subscription',
    action: 'Yes, Cancel Subscription',
    look: 'danger',
  },
  resume: {
    title: 'Resume Subscription',
    text: 'You stay on the Pro plan, and keep your regular billing cycle and your current period.',
    keep: 'Cancel',
    action: 'Resume Subscription',
    look: 'primary',
  },
} as const

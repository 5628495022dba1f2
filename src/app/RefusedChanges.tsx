import { useState } from 'react'
import { BOARD_ID } from '../tasks/page/useKeyboardMove'
import { submitAgain } from '../web/live/changeQueue'
import { dismissRefused, useRefused } from '../web/live/pendingChanges'
import type { Refused } from '../web/live/storedChanges'
import { copyText } from '../web/toast'
import { Button } from '../web/ui/Button'
import { Dialog } from '../web/ui/Dialog'

/** Changes made offline and refused later, with what was typed: at the bottom, because it appears while the user works. */
export function RefusedChanges() {
  const refused = useRefused()
  const [open, setOpen] = useState(false)
  if (refused.length === 0) return null
  const what = refused.length === 1 ? 'One change' : `${refused.length} changes`
  return (
    <section
      aria-label="Not saved"
      className="flex shrink-0 flex-wrap items-center gap-x-2 border-line border-t px-4 py-2 text-small sm:px-6"
    >
      <p role="alert">{what} you made offline could not be saved.</p>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="rounded-card font-strong underline underline-offset-4 hover:no-underline"
      >
        Review
      </button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Not saved"
        description="Copy what you typed, or try again."
        passesFocus={passesFocus}
      >
        <ul className="flex flex-col gap-4">
          {refused.map((change) => (
            <Row key={change.key} change={change} />
          ))}
        </ul>
      </Dialog>
    </section>
  )
}

/** The section goes with the last change, and the button that opened the dialog with it. */
function passesFocus() {
  const main = document.querySelector('main')
  const isGone = !main?.querySelector('[aria-label="Not saved"]')
  if (isGone) (document.getElementById(BOARD_ID) ?? main)?.focus()
  return isGone
}

const Row = ({ change }: { change: Refused }) => (
  <li className="flex flex-col gap-2 rounded-card bg-column p-3">
    <p>
      <span className="font-strong">{change.title}</span> <bdi>{change.about}</bdi>
      <span className="block text-pretty text-quiet text-small">{change.reason}</span>
    </p>
    {change.text && (
      <p dir="auto" className="wrap-anywhere max-h-40 overflow-y-auto whitespace-pre-wrap">
        {change.text}
      </p>
    )}
    <div className="flex flex-wrap gap-2">
      {change.text && (
        <Button size="small" onClick={() => void copyText(change.text)}>
          Copy
        </Button>
      )}
      <Button size="small" data-ignore-second-press onClick={() => submitAgain(change)}>
        Try again
      </Button>
      <Button size="small" look="quiet" data-ignore-second-press onClick={() => dismissRefused(change)}>
        Discard
      </Button>
    </div>
  </li>
)

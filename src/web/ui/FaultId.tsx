import { useState } from 'react'
import { faultIdOf } from '../refusal'

/** Names a fault of the server, for whoever runs it finds it in the log by that. */
export function FaultId({ error, id = faultIdOf(error) }: { error?: unknown; id?: string | undefined }) {
  const [isCopied, setIsCopied] = useState(false)
  if (!id) return null
  // Where the clipboard is closed, a click on the id marks all of it.
  const copy = () =>
    navigator.clipboard?.writeText(id).then(
      () => setIsCopied(true),
      () => {},
    )
  return (
    <span className="flex max-w-full items-center gap-2 text-quiet text-small">
      <span className="shrink-0">Request</span>
      <code className="min-w-0 select-all truncate" title={`Request ${id}`}>
        {id}
      </code>
      <button
        type="button"
        aria-label="Copy the number of this request"
        onClick={() => void copy()}
        className="min-h-6 shrink-0 rounded-card underline underline-offset-4 hover:text-text"
      >
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  )
}

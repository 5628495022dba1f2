import { createContext, type ReactNode, use, useEffect, useEffectEvent, useId, useState } from 'react'
import { isUnreachable } from '../live/reachability'
import { faultIdOf } from '../refusal'
import { Button } from './Button'

export const LoadFailed = ({ retry, error }: { retry(): void; error?: unknown }) => (
  <section className="m-auto flex max-w-md flex-col items-center gap-4 px-6 py-24 text-center" role="alert">
    <p className="text-quiet">
      This could not be loaded.{' '}
      {faultIdOf(error) ? 'Something went wrong on our side.' : 'The server may be unreachable or busy.'}
    </p>
    <FaultId error={error} />
    <Button onClick={retry}>Try again</Button>
  </section>
)

type Props = { children: ReactNode; busy: boolean; retry(): void; error?: unknown; className?: string }

export function TryAgain({ children, busy, retry, error, className = '' }: Props) {
  const isGathered = useGathered(isUnreachable(error), busy, retry)
  if (isGathered) return null
  return (
    <p role="alert" className={`flex flex-wrap items-center gap-3 text-quiet ${className}`}>
      <span>
        {children} {isUnreachable(error) && unreachableText()}
      </span>
      <Button size="small" busy={busy} onClick={retry}>
        Try again
      </Button>
      <FaultId error={error} />
    </p>
  )
}

const unreachableText = () => (navigator.onLine ? 'The server is unreachable.' : 'You are offline.')

type Failed = { busy: boolean; retry(): void }
type Gather = (id: string, failed: Failed | null) => void

const GatherContext = createContext<{ gather: Gather; isOne: boolean } | null>(null)

/** If several parts of `children` failed for lack of a connection, one line says so, placed by `children`. */
export function GatheredTryAgain({ text, children }: { text: string; children(line: ReactNode): ReactNode }) {
  const [failed, setFailed] = useState<ReadonlyMap<string, Failed>>(new Map())
  const [gather] = useState(
    (): Gather => (id, one) =>
      setFailed((known) => new Map([...known].filter(([other]) => other !== id).concat(one ? [[id, one]] : []))),
  )
  const isOne = failed.size > 1
  const line = isOne && (
    <p role="alert" className="mr-auto flex flex-wrap items-center gap-3 text-quiet text-small">
      {text} {unreachableText()}
      <Button
        size="small"
        busy={[...failed.values()].some(({ busy }) => busy)}
        onClick={() => {
          for (const { retry } of failed.values()) retry()
        }}
      >
        Try again
      </Button>
    </p>
  )
  return <GatherContext value={{ gather, isOne }}>{children(line)}</GatherContext>
}

function useGathered(isAway: boolean, busy: boolean, retry: () => void): boolean {
  const gathering = use(GatherContext)
  const gather = gathering?.gather
  const id = useId()
  const tryAgain = useEffectEvent(retry)
  useEffect(() => {
    if (!gather || !isAway) return
    gather(id, { busy, retry: () => tryAgain() })
    return () => gather(id, null)
  }, [gather, isAway, busy, id])
  return isAway && gathering?.isOne === true
}

/** Identifies a server fault, so that operators find it in the log. */
export function FaultId({ error, id = faultIdOf(error) }: { error?: unknown; id?: string | undefined }) {
  const [isCopied, setIsCopied] = useState(false)
  if (!id) return null
  // Without clipboard access, a click on the id selects all of it.
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
        aria-label="Copy the request ID"
        onClick={() => void copy()}
        className="min-h-6 shrink-0 rounded-card underline underline-offset-4 hover:text-text"
      >
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  )
}

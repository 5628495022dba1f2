import { type ComponentProps, useEffect } from 'react'
import { useEver } from '../useEver'
import { lazyOverlay } from './lazyOverlay'

const Dialog = lazyOverlay(() => import('./Dialog').then((module) => module.Dialog))

/** `load` is of what it holds, which then comes beside it. */
type Props = ComponentProps<typeof Dialog> & { load?(): Promise<unknown> }

/** A dialog of what is on the first screen, which none is open on. */
export function LazyDialog({ load, ...props }: Props) {
  const wasOpened = useEver(props.open)
  useEffect(() => {
    // Where it fails, what is held says so.
    if (wasOpened) load?.().catch(() => {})
  }, [wasOpened, load])
  return wasOpened && <Dialog {...props} />
}

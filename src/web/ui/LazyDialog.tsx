import { type ComponentProps, useEffect, useState } from 'react'
import { useEver } from '../useEver'
import { lazyOverlay } from './lazyOverlay'
import { Opening } from './Opening'

const Dialog = lazyOverlay(() => import('./Dialog').then((module) => module.Dialog))

/** `load` is of what it holds: both come at once, for whoever types on means its field. */
type Props = ComponentProps<typeof Dialog> & { load?(): Promise<unknown> }

/** A dialog of what is on the first screen, which none is open on. */
export function LazyDialog({ load, ...props }: Props) {
  const { open, onOpenChange } = props
  const wasOpened = useEver(open)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    // Where one fails, it says so itself.
    if (wasOpened) void Promise.allSettled([Dialog.load(), load?.()]).then(() => setReady(true))
  }, [wasOpened, load])
  if (wasOpened && isReady) return <Dialog {...props} />
  return open && <Opening onClose={() => onOpenChange(false)} />
}

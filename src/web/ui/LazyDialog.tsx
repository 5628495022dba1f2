import { type ComponentProps, useEffect, useState } from 'react'
import { sleep } from '../sleep'
import { useEver } from '../useEver'
import { lazyOverlay } from './lazyOverlay'
import { Opening } from './Opening'

const Dialog = lazyOverlay(() => import('./Dialog').then((module) => module.Dialog))

const PATIENCE_MS = 1_000

type Props = ComponentProps<typeof Dialog> & { holds?: { load(): Promise<unknown>; isLoaded(): boolean } }

/**
 * A dialog of what is on the first screen, which none is open on. It opens once what it holds has loaded as well, so that what is
 * typed meanwhile goes into its field.
 */
export function LazyDialog({ holds, ...props }: Props) {
  const { open, onOpenChange } = props
  const wasOpened = useEver(open)
  const [isReady, setReady] = useState(() => Dialog.isLoaded() && (holds?.isLoaded() ?? true))
  useEffect(() => {
    if (!wasOpened || isReady) return
    // What fails, or takes long, says so itself.
    const loads = Promise.allSettled([Dialog.load(), holds?.load()])
    void Promise.race([loads, sleep(PATIENCE_MS)]).then(() => setReady(true))
  }, [wasOpened, isReady, holds])
  if (wasOpened && isReady) return <Dialog {...props} />
  return open && <Opening onClose={() => onOpenChange(false)} />
}

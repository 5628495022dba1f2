import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { forgetLost, tellLost } from './tellLost'
import { whenIdle } from './whenIdle'

const parts = new Set<() => Promise<unknown>>()

const PATIENCE_MS = 250

/** Loads and runs them all, one after the other. */
export async function loadLazyComponents(): Promise<void> {
  for (const load of parts) {
    await new Promise<void>((resolve) => void whenIdle(resolve, PATIENCE_MS))
    await load().catch(() => {})
  }
}

const Nothing = () => null

export type Closable = { onOpenChange?(open: boolean): void; onClose?(): void }
/** `onLost` is called where it could not be loaded, for what nobody closes, such as a menu in the place of its button. */
type Own = { fallback?: ReactNode; onLost?(): void }

/**
 * A component whose code loads when it is first shown, or by its `load` before: `fallback` shows until then. Where it cannot be
 * loaded, `instead` shows; without one, what can be closed is closed and says so, and is loaded again when it is opened again.
 * Not React's `lazy`: what comes soon after a fallback of `Suspense` is held back for 300 ms.
 */
export const lazyComponent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead?: ComponentType<Props>,
) => {
  let loaded: ComponentType<Props> | undefined
  const loadPart = async () => {
    loaded = await load()
    return loaded
  }
  parts.add(loadPart)
  function LazyComponent({ fallback, onLost, ...props }: Props & Own) {
    const [Shown, setShown] = useState(() => loaded)
    // Whoever closed it has no fallback.
    const isAsked = fallback === undefined || !!fallback
    const fail = useEffectEvent(() => {
      const { onOpenChange, onClose }: Closable = props
      if (instead || !(onLost ?? onOpenChange ?? onClose)) return setShown(() => instead ?? Nothing)
      tellLost('Not Opened', 'It could not be loaded. Please try again, or reload the page.')
      onLost?.()
      onOpenChange?.(false)
      onClose?.()
    })
    useEffect(() => {
      if (Shown || !isAsked) return
      let isGone = false
      loadPart().then(
        (component) => {
          forgetLost()
          if (!isGone) setShown(() => component)
        },
        () => isGone || fail(),
      )
      return () => {
        isGone = true
      }
    }, [Shown, isAsked])
    return Shown ? <Shown {...(props as unknown as Props)} /> : fallback
  }
  return Object.assign(LazyComponent, { load: loadPart, isLoaded: () => loaded !== undefined })
}

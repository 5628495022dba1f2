import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
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

/**
 * A component whose code loads when it is first shown, or by its `load` before: `fallback` shows until then, `instead` where it cannot be loaded.
 * Not React's `lazy`: what comes soon after a fallback of `Suspense` is held back for 300 ms.
 */
export const lazyComponent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props> = () => null,
) => {
  let loaded: ComponentType<Props> | undefined
  const loadPart = async () => {
    loaded = await load()
    return loaded
  }
  parts.add(loadPart)
  function LazyComponent({ fallback, ...props }: Props & { fallback?: ReactNode }) {
    const [Shown, setShown] = useState(() => loaded)
    useEffect(() => {
      if (Shown) return
      let isGone = false
      const show = (component: ComponentType<Props>) => {
        if (!isGone) setShown(() => component)
      }
      loadPart().then(show, () => show(instead))
      return () => {
        isGone = true
      }
    }, [Shown])
    return Shown ? <Shown {...(props as unknown as Props)} /> : fallback
  }
  return Object.assign(LazyComponent, { load: loadPart })
}

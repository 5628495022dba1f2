import { type ComponentType, lazy } from 'react'
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

/** A component whose code loads when it is first shown, within a `Suspense`; `instead` shows where it cannot be loaded. */
export const lazyComponent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props> = () => null,
) => {
  parts.add(load)
  return lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: instead }),
    ),
  )
}

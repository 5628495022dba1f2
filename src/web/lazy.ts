import { type ComponentType, lazy } from 'react'

const parts = new Set<() => Promise<unknown>>()

/** Loads all lazy components in advance, for the server may be away when they are needed. */
export const loadLazyComponents = (): Promise<unknown> => Promise.all([...parts].map((load) => load()))

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

import { type ComponentType, lazy } from 'react'

const parts = new Set<() => Promise<unknown>>()

/** Loads what is shown late ahead of that, so that it is there also when the server, for a moment, is not. */
export const loadLazyComponents = (): Promise<unknown> => Promise.all([...parts].map((load) => load()))

/**
 * A component whose code comes when it is first shown, within a `Suspense`. Where it cannot be loaded, `instead` stands in
 * its place, and nothing else of the page is lost.
 */
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

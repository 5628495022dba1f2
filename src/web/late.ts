import { type ComponentType, lazy } from 'react'

/**
 * A component whose code comes when it is first shown, within a `Suspense`. Where it cannot be loaded, `instead` stands in
 * its place, and nothing else of the page is lost.
 */
export const late = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props> = () => null,
) =>
  lazy(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: instead }),
    ),
  )

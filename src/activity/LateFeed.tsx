import { type ComponentProps, lazy, Suspense } from 'react'

const Feed = lazy(() =>
  import('./Feed').then(
    (loaded) => ({ default: loaded.Feed }),
    () => ({ default: NotLoaded }),
  ),
)

const NotLoaded = () => <p className="text-quiet">The activity could not be loaded. Reload the page to see it.</p>

/** What was done; its code comes when it is first opened. */
export const LateFeed = (props: ComponentProps<typeof Feed>) => (
  <Suspense fallback={<div className="h-32" aria-busy />}>
    <Feed {...props} />
  </Suspense>
)

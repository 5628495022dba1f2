import { type ComponentProps, lazy, Suspense } from 'react'

const TaskTime = lazy(() =>
  import('./TaskTime').then(
    (loaded) => ({ default: loaded.TaskTime }),
    () => ({ default: NotLoaded }),
  ),
)

const NotLoaded = () => <p className="text-quiet">The time entries could not be loaded. Reload the page to see them.</p>

/** A task's time; its code comes when the first task is opened. */
export const LateTaskTime = (props: ComponentProps<typeof TaskTime>) => (
  <Suspense fallback={<div className="h-14" aria-busy />}>
    <TaskTime {...props} />
  </Suspense>
)

import type { ComponentProps } from 'react'
import { lazyComponent } from '../../../web/lazy'

const NotLoaded = () => <p className="text-quiet">The time entries could not be loaded. Reload the page to see them.</p>
const TaskTime = lazyComponent(() => import('./TaskTime').then((module) => module.TaskTime), NotLoaded)

export const LazyTaskTime = (props: ComponentProps<typeof TaskTime>) => (
  <TaskTime fallback={<div className="h-14" aria-busy />} {...props} />
)

import { lazyComponent } from '../web/lazy'
import { useRefused } from '../web/live/refused'

const RefusedChanges = lazyComponent(() => import('./RefusedChanges').then((module) => module.RefusedChanges))

export function NotSaved() {
  const refused = useRefused()
  if (refused.length === 0) return null
  return <RefusedChanges refused={refused} />
}

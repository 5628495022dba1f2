import { useViewer } from '../auth/page/cache'
import { OperatorPage } from '../operator/page/OperatorPage'
import { NotFound } from './NotFound'
import { Shell } from './Shell'

/** Nobody else hears that there is such a page. */
export function OperatorScreen() {
  if (!useViewer().operator) return <NotFound />
  return (
    <Shell>
      <OperatorPage />
    </Shell>
  )
}

import { useServerOptions, useViewer } from '../auth/page/cache'
import { NoOperator, OperatorPage } from '../operator/page/OperatorPage'
import { NotFound } from './NotFound'
import { Shell } from './Shell'

/** Nobody else hears that there is such a page, but where there is no operator yet. */
export function OperatorScreen() {
  const { operator } = useViewer()
  const missing = useServerOptions()?.missingOperator
  if (!operator && !missing) return <NotFound />
  return <Shell>{operator || !missing ? <OperatorPage /> : <NoOperator by={missing} />}</Shell>
}

import { lazyComponent } from '../../web/lazy'
import { useImports } from './cache'

const ImportLine = lazyComponent(() => import('./ImportLine').then((module) => module.ImportLine))

/** What is under way, or failed. */
export function Imports() {
  const imports = useImports().data?.filter(({ state }) => state === 'running' || state === 'failed') ?? []
  return imports.length > 0 && <ImportLine imports={imports} />
}

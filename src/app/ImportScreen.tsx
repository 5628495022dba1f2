import { ImportPage } from '../imports/page/ImportPage'
import { Shell } from './Shell'

export const ImportScreen = () => (
  <Shell>
    <ImportPage />
  </Shell>
)

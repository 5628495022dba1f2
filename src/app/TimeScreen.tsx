import { MyTimePage } from '../time/page/MyTimePage'
import { Shell } from './Shell'

export const TimeScreen = () => (
  <Shell>
    <MyTimePage />
  </Shell>
)

import { MyTimePage } from '../time/mine/page/MyTimePage'
import { Shell } from './Shell'

export const TimeScreen = () => (
  <Shell>
    <MyTimePage />
  </Shell>
)

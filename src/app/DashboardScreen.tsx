import type { ComponentProps } from 'react'
import { Dashboard } from '../boards/page/Dashboard'
import { Shell } from './Shell'

export const DashboardScreen = (props: ComponentProps<typeof Dashboard>) => (
  <Shell>
    <Dashboard {...props} />
  </Shell>
)

export const NewBoardScreen = () => <DashboardScreen creating />

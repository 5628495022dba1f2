import { ProfilePage } from '../users/page/ProfilePage'
import { Shell } from './Shell'

export const ProfileScreen = () => (
  <Shell>
    <ProfilePage />
  </Shell>
)

import { ProfilePage } from '../users/page/ProfilePage'
import { NoSuchPage } from './NotFound'
import { Shell } from './Shell'

export const ProfileScreen = () => (
  <Shell>
    <ProfilePage noSuchPage={<NoSuchPage />} />
  </Shell>
)

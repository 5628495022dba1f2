import { displayName, type OwnUser } from '../schema'
import { Avatar } from './Avatar'

export const AccountDetail = ({ user }: { user: OwnUser }) => (
  <dd className="flex gap-2">
    <Avatar user={user} className="-my-0.5" />
    <span className="min-w-0">
      <bdi className="block font-strong">{displayName(user)}</bdi>
      <bdi className="block">{user.email}</bdi>
    </span>
  </dd>
)

import { type AnnounceContext, announcePerson } from '../../boards/server/announce'
import { grantProfile } from '../../boards/server/grants'
import type { MessageOutbox } from '../../server/live/messageOutbox'
import { toUsers } from '../../server/live/openSockets'
import type { SignedIn } from '../../server/signedIn'
import { type OwnUser, summaryOf } from '../schema'
import { type GivenProfile, updateProfile } from './store'

export function announceAccount(outbox: MessageOutbox, user: OwnUser): void {
  outbox.push({ do: 'updateUser', user })
  outbox.push(toUsers([user.id], { type: 'current_user_updated', to: 'user', payload: { user } }))
}

/** Boards that show the account are locked first, as for every change to a board. */
export async function changeProfile(
  ctx: Omit<AnnounceContext, 'headers'> & { viewer: SignedIn },
  given: GivenProfile,
): Promise<OwnUser> {
  const grant = await grantProfile(ctx.db, ctx.viewer)
  const { user, shown } = await updateProfile(ctx.db, grant, given)
  announceAccount(ctx.outbox, user)
  if (shown && grant.boards.length > 0) await announcePerson(ctx, grant.boards, summaryOf(user))
  return user
}

import { type AnnounceContext, announcePerson } from '../../boards/server/announce'
import { toUsers } from '../../server/live/hub'
import type { MessageOutbox } from '../../server/live/messageOutbox'
import { type OwnUser, summaryOf } from '../schema'
import type { ProfileGrant } from './grants'

export function announceAccount(outbox: MessageOutbox, user: OwnUser): void {
  outbox.push({ do: 'updateUser', user })
  outbox.push(toUsers([user.id], { type: 'current_user_updated', to: 'user', payload: { user } }))
}

export async function announceProfile(
  ctx: AnnounceContext,
  grant: ProfileGrant,
  { user, shown }: { user: OwnUser; shown: boolean },
): Promise<void> {
  announceAccount(ctx.outbox, user)
  if (shown && grant.boards.length > 0) await announcePerson(ctx, grant.boards, summaryOf(user))
}

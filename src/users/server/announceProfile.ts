import type { ProfileGrant } from '../../server/grants'
import { userTopic } from '../../server/live/hub'
import type { Outbox } from '../../server/live/messageOutbox'
import { announcePerson, type Context, type Within } from '../../server/trpc'
import { type OwnUser, summaryOf } from '../schema'

/** Tells every open page of a user what their account is now (product.md, section 4). */
export const tellOwnPages = (outbox: Outbox, user: OwnUser): void =>
  outbox.push({ do: 'publish', topics: [userTopic(user.id)], message: { type: 'current_user_updated', payload: { user } } })

type Telling = Context & Within & { viewer: OwnUser }

/** As above; and where boards show what changed, each of them takes a step, of which its members hear. */
export async function tellOfUser(ctx: Telling, { boards }: ProfileGrant, { user, shown }: { user: OwnUser; shown: boolean }) {
  tellOwnPages(ctx.outbox, user)
  const boardIds = boards.map(({ id }) => id)
  if (shown && boardIds.length > 0) await announcePerson(ctx, boardIds, summaryOf(user))
}

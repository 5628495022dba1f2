import { boardsQuery } from '../../boards/page/cache'
import type { Handlers } from '../../web/live/messageHandlers'
import { queryClient } from '../../web/queryClient'
import { trpc } from '../../web/trpc'

export const statusQuery = () => trpc.billing.status.queryOptions()

/** The viewer's plan may be another one: it decides about the subscription, locked boards and support. */
export const planHandlers: Handlers = { current_user_updated: refetchPlan }

export function refetchPlan(): void {
  void queryClient.invalidateQueries(statusQuery())
  void queryClient.invalidateQueries(boardsQuery())
  void queryClient.invalidateQueries(trpc.users.support.queryFilter())
}

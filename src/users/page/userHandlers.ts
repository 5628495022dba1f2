import { sessionQuery } from '../../auth/page/cache'
import { noteDisabled } from '../../auth/page/sessionEnd'
import type { Handlers } from '../../web/live/messageHandlers'
import { queryClient, restartRead } from '../../web/queryClient'
import { trpc } from '../../web/trpc'
import type { OwnUser } from '../schema'

export const userHandlers: Handlers = {
  account_disabled: noteDisabled,
  current_user_updated: ({ user }) => updateViewer(user),
  user_profile_updated({ user }) {
    const isTheirs = (data: unknown) => typeof data === 'object' && data !== null && 'id' in data && data.id === user.id
    void queryClient.invalidateQueries({
      queryKey: trpc.users.profile.queryKey(),
      predicate: ({ state }) => isTheirs(state.data),
    })
  },
}

export function updateViewer(user: Partial<OwnUser>): void {
  const { queryKey } = sessionQuery()
  queryClient.setQueryData(queryKey, (known) =>
    known && (user.id === undefined || user.id === known.id) ? { ...known, ...user } : known,
  )
  restartRead(queryKey)
}

import { sessionQuery } from '../../auth/page/cache'
import { noteDisabled } from '../../auth/page/sessionEnd'
import type { Handlers } from '../../web/live/messageHandlers'
import { queryClient } from '../../web/queryClient'
import type { OwnUser } from '../schema'
import { usersApi } from './api'

export const userHandlers: Handlers = {
  account_disabled: noteDisabled,
  current_user_updated: ({ user }) => updateViewer(user),
  user_profile_updated({ user }) {
    const isTheirs = (data: unknown) => typeof data === 'object' && data !== null && 'id' in data && data.id === user.id
    void queryClient.invalidateQueries({
      queryKey: usersApi.profile.queryKey(),
      predicate: ({ state }) => isTheirs(state.data),
    })
  },
}

export const updateViewer = (user: Partial<OwnUser>) =>
  queryClient.setQueryData(sessionQuery().queryKey, (known) =>
    known && (user.id === undefined || user.id === known.id) ? { ...known, ...user } : known,
  )

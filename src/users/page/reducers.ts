import type { Handlers } from '../../web/live/socket'
import { queryClient, restartRead, trpc } from '../../web/queryClient'
import type { OwnUser, UserSummary } from '../schema'
import { sessionQuery } from './viewer'

export const userHandlers: Handlers = {
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

export const updateUser = (users: UserSummary[], user: UserSummary): UserSummary[] =>
  users.map((other) => (other.id === user.id ? user : other))

/** Returns the same list if it does not contain the user, so that nothing rerenders. */
export const updateAuthor = <Row extends { user: UserSummary }>(rows: Row[], user: UserSummary): Row[] =>
  rows.some((row) => row.user.id === user.id) ? rows.map((row) => (row.user.id === user.id ? { ...row, user } : row)) : rows

import type { UserSummary } from '../schema'

export const updateUser = (users: UserSummary[], user: UserSummary): UserSummary[] =>
  users.map((other) => (other.id === user.id ? user : other))

/** Returns the same list where nothing in it is the user's, so that nothing renders. */
export const updateAuthor = <Row extends { user: UserSummary }>(rows: Row[], user: UserSummary): Row[] =>
  rows.some((row) => row.user.id === user.id) ? rows.map((row) => (row.user.id === user.id ? { ...row, user } : row)) : rows

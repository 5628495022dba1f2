import type { UserSummary } from '../schema'

/** People, with one of them as they are now. */
export const updateUser = (users: UserSummary[], user: UserSummary): UserSummary[] =>
  users.map((other) => (other.id === user.id ? user : other))

/** What people wrote or uploaded, with one of them as they are now; the same list where nothing in it is theirs. */
export const updateAuthor = <Row extends { user: UserSummary }>(rows: Row[], user: UserSummary): Row[] =>
  rows.some((row) => row.user.id === user.id) ? rows.map((row) => (row.user.id === user.id ? { ...row, user } : row)) : rows

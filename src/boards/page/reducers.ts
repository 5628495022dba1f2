import type { Snapshot } from '../../tasks/schema'
import { updateUser } from '../../users/page/reducers'
import type { UserMessage } from '../../users/schema'
import type { Reducers } from '../../web/live/reducers'
import type { BoardMessage } from '../schema'

export const boardReducers: Reducers<Snapshot, BoardMessage | UserMessage> = {
  BOARD_UPDATED: (snapshot, { updates }) => ({ ...snapshot, board: { ...snapshot.board, ...updates } }),
  board_member_added: (snapshot, { user }) =>
    withMembers(snapshot, [...snapshot.board.members.filter(({ id }) => id !== user.id), user]),
  board_member_removed: (snapshot, { userId }) =>
    withMembers(
      snapshot,
      snapshot.board.members.filter(({ id }) => id !== userId),
    ),
  board_handed_over: (snapshot, { createdBy }) => ({
    ...snapshot,
    board: { ...snapshot.board, createdBy, creator: { id: createdBy } },
  }),
  user_profile_updated: (snapshot, { user }) => ({
    ...snapshot,
    board: { ...snapshot.board, members: updateUser(snapshot.board.members, user) },
  }),
}

const withMembers = (snapshot: Snapshot, members: Snapshot['board']['members']): Snapshot => ({
  ...snapshot,
  board: { ...snapshot.board, members, memberCount: members.length },
})

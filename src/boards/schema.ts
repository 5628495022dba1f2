import { z } from 'zod'
import type { Relayed, ToMembers, ToUser } from '../protocol'
import { id, optionalText, requiredName } from '../schema'
import { email, type UserSummary, username, userSummary } from '../users/schema'
import { ARRANGED_MAX, BOARD_DESCRIPTION_MAX, BOARD_NAME_MAX } from './limits'

export * from './limits'

const name = requiredName(BOARD_NAME_MAX, 'Board name is required')
const description = optionalText(BOARD_DESCRIPTION_MAX)

export const newBoard = z.object({ name, description })
export type NewBoard = z.output<typeof newBoard>

export const boardChanges = z.object({ name: name.optional(), description, inviteLinks: z.boolean().optional() })
export type BoardChanges = z.output<typeof boardChanges>

export const newMember = z.union([z.object({ email }), z.object({ username })], 'Please enter an email address or a username')

const ids = z.array(id).max(ARRANGED_MAX)
export const arrangement = z.object({ pinned: ids, others: ids })
export type Arrangement = z.output<typeof arrangement>

export const boardInput = z.object({ boardId: id })
export const boardListItem = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  createdBy: id,
  memberCount: z.number(),
  nameCount: z.number(),
  createdAt: z.string(),
  locked: z.boolean().describe('Read-only for you'),
  pinned: z.boolean(),
  place: z.number().nullable().describe('In your own order; null comes last'),
})
export type BoardListItem = z.infer<typeof boardListItem>

/** The same for every member: snapshots are cached by version only. */
export const board = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  createdBy: id,
  creator: z.object({ id }),
  members: z.array(userSummary),
  memberCount: z.number(),
  version: z.number(),
  createdAt: z.string(),
  importedAt: z.string().nullable().describe('Anything older came with the import'),
  inviteLinks: z.boolean().describe('Whether members may create links that let anyone join'),
})
export type Board = z.infer<typeof board>

export const deletedBoard = z.object({
  id,
  name: z.string(),
  deletedAt: z.string(),
  until: z.string(),
  mayRestore: z.boolean(),
  minutes: z.number(),
})
export type DeletedBoard = z.infer<typeof deletedBoard>

export type BoardMessage =
  | ToMembers<'board_member_added', { user: UserSummary; invitationIds?: number[] }>
  | ToMembers<'board_member_removed', { userId: number }>
  | ToMembers<'BOARD_UPDATED', { updates: Pick<Board, 'name' | 'description'> & Partial<Pick<Board, 'inviteLinks'>> }>
  | ToMembers<'board_handed_over', { createdBy: number }>
  | ToMembers<'board_deleted', object>
  | ToMembers<'board_restored', object>

type ArrangedMessage = ToUser<'boards_arranged', object>

type EditingMessage = Relayed<'editing_status', { element: string; status: 'started' | 'ended'; user: UserSummary }>

declare module '../protocol' {
  interface Messages {
    boards: BoardMessage | ArrangedMessage | EditingMessage
  }
  interface ClientMessages {
    boards:
      | {
          type: 'editing_status'
          payload: { boardId: number; element: 'board_name' | 'board_description'; status: 'started' | 'ended' }
        }
      | { type: 'watch_boards'; payload: { boards: [boardId: number, version: number][] } }
      | { type: 'viewing'; payload: { boardId: number; taskId: number | null } }
  }
}

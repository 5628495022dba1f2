import {
  isLocked,
  mayChangeComment,
  mayChangeTimeEntry,
  mayDeleteAttachment,
  mayDeleteBoard,
  mayDeleteTask,
  mayEditBoard,
  mayRemoveMember,
  mayRevokeInvitation,
  maySetRates,
  mayTurnWhileLocked,
  type Turn,
  type Viewer,
} from '../access'
import { boardsOf, holdAccount } from '../account/server/store'
import type { Attachment } from '../attachments/schema'
import { findAttachment } from '../attachments/server/store'
import { CREATOR_STAYS, FREE_LIMIT } from '../boards/schema'
import { type BoardRow, findBoardAsMember, lockBoard, lockBoardOfTask, lockBoards } from '../boards/server/store'
import type { Comment } from '../comments/schema'
import { boardOfComment, findComment } from '../comments/server/store'
import type { Db } from '../db/client'
import { INVALID, type InvitedBoard, type OpenInvitation } from '../invitations/schema'
import { boardOfInvitation, findInvitation, findOpen, type ValidInvitation } from '../invitations/server/store'
import type { Task } from '../tasks/schema'
import { boardOfDeleted, boardOfTask, findTask } from '../tasks/server/store'
import { NOT_YOURS, type TimeEntry } from '../time/entries/schema'
import { boardOfEntry, findEntry } from '../time/entries/server/store'
import { holdTimers } from '../time/timers/server/store'
import { conflict, forbidden, notFound, unauthorized } from './errors'

/**
 * Proof that a right was asked for and given. Only this file makes grants, and stores demand them, so a store
 * cannot be reached without the check. A grant to change holds the board's lock until the transaction ends:
 * changes of one board come one after the other, and a membership that ends, ends before or after, never amid.
 */
declare const granted: unique symbol
type Granted<T, Right extends string> = T & { readonly [granted]: { [R in Right]: true } }

export type BoardGrant<Right extends BoardRight> = Granted<{ viewer: Viewer; board: BoardRow }, Right>
export type TaskGrant<Right extends TaskRight> = Granted<{ viewer: Viewer; board: BoardRow; task: Task }, Right>
/** To bring back a task that the viewer deleted just now. */
export type RestoreGrant = Granted<{ viewer: Viewer; board: BoardRow; taskId: number }, 'restore'>
export type CommentGrant = Granted<{ viewer: Viewer; board: BoardRow; task: Task; comment: Comment }, 'change'>
export type AttachmentGrant<Right extends AttachmentRight | 'read'> = Granted<
  { viewer: Viewer; board: BoardRow; task: Task; attachment: Attachment },
  Right
>
/** To start a timer on a task: the board of the one that runs is held too, as that one rests from then on. */
export type StartGrant = Granted<{ viewer: Viewer; board: BoardRow; task: Task }, 'start' | 'change' | 'read'>
type HeldEntry = { viewer: Viewer; board: BoardRow; task: Task; entry: TimeEntry; isLocked: boolean }
export type EntryGrant = Granted<HeldEntry, 'start' | 'change'>
export type MemberGrant = Granted<{ viewer: Viewer; board: BoardRow; memberId: number }, 'removeMember'>

export type RevocationGrant = Granted<{ invitation: OpenInvitation }, 'revoke'>
export type JoinGrant = Granted<{ viewer: Viewer & { email: string }; board: InvitedBoard; invitation: ValidInvitation }, 'join'>

type HeldBoards = { id: number; createdBy: number; isMember: boolean }[]
export type DepartureGrant = Granted<{ viewer: { id: number; email: string }; boards: HeldBoards }, 'leave'>
/** To change what boards show of one's account: its boards are held. */
export type ProfileGrant = Granted<{ viewer: { id: number }; boards: HeldBoards }, 'changeProfile'>

// One answer for what is not there and for what is not for the viewer to see.
const NO_COMMENT = 'Comment not found'
const NO_ENTRY = 'Time entry not found'

const boardRules = {
  change: { may: () => true, refusal: '' },
  edit: { may: mayEditBoard, refusal: 'Only the board creator can edit this board.' },
  delete: { may: mayDeleteBoard, refusal: 'Only the board creator can delete this board.' },
  rate: { may: maySetRates, refusal: 'Only the board creator can set hourly rates.' },
} satisfies Record<string, { may(viewer: Viewer, board: BoardRow): boolean; refusal: string }>
export type BoardRight = keyof typeof boardRules | 'read'

const taskRules = {
  change: { may: () => true, refusal: '' },
  delete: { may: mayDeleteTask, refusal: "You don't have permission to delete this task." },
} satisfies Record<string, { may(viewer: Viewer, board: BoardRow, task: Task): boolean; refusal: string }>
export type TaskRight = keyof typeof taskRules | 'read'

const attachmentRules = {
  delete: { may: mayDeleteAttachment, refusal: 'Only who uploaded a file can delete it.' },
} satisfies Record<string, { may(viewer: Viewer, attachment: Attachment): boolean; refusal: string }>
export type AttachmentRight = keyof typeof attachmentRules

/** To look at a board. Throws NOT_FOUND to anyone who is no member. */
export const grantReading = async (db: Db, viewer: Viewer, boardId: number) =>
  (await asMember(db, viewer, boardId)) as BoardGrant<'read'>

/** To look at a task. Throws NOT_FOUND to anyone who is no member of its board. */
export const grantTaskReading = async (db: Db, viewer: Viewer, taskId: number) =>
  (await asMemberOf(db, viewer, taskId, await boardOfTask(db, taskId))) as TaskGrant<'read'>

/** To change a board, within a transaction. Throws NOT_FOUND, FORBIDDEN. */
export async function grantBoard<R extends keyof typeof boardRules>(db: Db, viewer: Viewer, boardId: number, right: R) {
  await lockBoard(db, boardId)
  const seen = await asMember(db, viewer, boardId)
  assertUnlocked(viewer, seen.board)
  const { may, refusal } = boardRules[right]
  if (!may(viewer, seen.board)) throw forbidden(refusal)
  return seen as BoardGrant<R | 'read' | 'change'>
}

/** To change a task, within a transaction. Throws NOT_FOUND, FORBIDDEN. */
export async function grantTask<R extends keyof typeof taskRules>(db: Db, viewer: Viewer, taskId: number, right: R) {
  const { board, task } = await asMemberOf(db, viewer, taskId, await lockBoardOfTask(db, taskId))
  assertUnlocked(viewer, board)
  const { may, refusal } = taskRules[right]
  if (!may(viewer, board, task)) throw forbidden(refusal)
  return { viewer, board, task } as TaskGrant<R | 'read' | 'change'>
}

/** To bring back a task that one deleted just now, within a transaction. Throws NOT_FOUND, FORBIDDEN. */
export async function grantRestoring(db: Db, viewer: Viewer, taskId: number): Promise<RestoreGrant> {
  const gone = notFound('This task can no longer be brought back.')
  if ((await lockBoardOfTask(db, taskId)) === undefined) throw gone
  const boardId = await boardOfDeleted(db, viewer.id, taskId)
  const board = boardId === undefined ? undefined : await findBoardAsMember(db, viewer.id, boardId)
  if (!board) throw gone
  assertUnlocked(viewer, board)
  return { viewer, board, taskId } as RestoreGrant
}

/** To change a comment, within a transaction. Throws NOT_FOUND, FORBIDDEN. */
export async function grantComment(db: Db, viewer: Viewer, commentId: number): Promise<CommentGrant> {
  const boardId = await boardOfComment(db, commentId)
  if (boardId !== undefined) await lockBoard(db, boardId)
  const comment = await findComment(db, commentId)
  if (!comment) throw notFound(NO_COMMENT)
  const { board, task } = await asMemberOf(db, viewer, comment.taskId, boardId, NO_COMMENT)
  assertUnlocked(viewer, board)
  if (!mayChangeComment(viewer, comment)) throw forbidden('Only its author can change a comment.')
  return { viewer, board, task, comment } as CommentGrant
}

/** To start a timer, within a transaction. Throws NOT_FOUND, FORBIDDEN. */
export async function grantStarting(db: Db, viewer: Viewer, taskId: number): Promise<StartGrant> {
  const boardId = await boardOfTask(db, taskId)
  if (boardId === undefined) throw notFound('Task not found')
  await holdTimers(db, viewer.id, boardId)
  return (await grantTask(db, viewer, taskId, 'change')) as unknown as StartGrant
}

/**
 * To change a time entry, or to turn its timer, within a transaction. On a locked board a clock may be stopped, and
 * nothing else (`fields` are those that change). Throws NOT_FOUND, FORBIDDEN.
 */
export async function grantEntry(db: Db, viewer: Viewer, entryId: number, turn?: Turn, fields: string[] = []) {
  const boardId = await boardOfEntry(db, entryId)
  if (turn === 'ACTIVE') await holdTimers(db, viewer.id, boardId)
  else if (boardId !== undefined) await lockBoard(db, boardId)
  const entry = await findEntry(db, entryId)
  if (!entry) throw notFound(NO_ENTRY)
  const { board, task } = await asMemberOf(db, viewer, entry.taskId, boardId, NO_ENTRY)
  if (!mayChangeTimeEntry(viewer, entry)) throw forbidden(NOT_YOURS)
  if (!mayTurnWhileLocked(entry, turn, fields)) assertUnlocked(viewer, board)
  return { viewer, board, task, entry, isLocked: isLocked(viewer, board) } as EntryGrant
}

/** To see an attached file. Throws NOT_FOUND to anyone who is no member of its board. */
export async function grantFile(db: Db, viewer: Viewer, filename: string) {
  const attachment = await findAttachment(db, { filename })
  const boardId = attachment && (await boardOfTask(db, attachment.taskId))
  const { board, task } = await asMemberOf(db, viewer, attachment?.taskId ?? 0, boardId, 'File not found')
  return { viewer, board, task, attachment } as AttachmentGrant<'read'>
}

/** To change an attachment, within a transaction. Throws NOT_FOUND, FORBIDDEN. */
export async function grantAttachment<R extends AttachmentRight>(db: Db, viewer: Viewer, attachmentId: number, right: R) {
  const { taskId = 0 } = (await findAttachment(db, { id: attachmentId })) ?? {}
  const { board, task } = await asMemberOf(db, viewer, taskId, await lockBoardOfTask(db, taskId), 'Attachment not found')
  // Looked up again under the lock: it may have been deleted meanwhile.
  const attachment = await findAttachment(db, { id: attachmentId })
  if (!attachment) throw notFound('Attachment not found')
  assertUnlocked(viewer, board)
  const { may, refusal } = attachmentRules[right]
  if (!may(viewer, attachment)) throw forbidden(refusal)
  return { viewer, board, task, attachment } as AttachmentGrant<R | 'read'>
}

const ONLY_CREATOR = 'Only the board creator can remove members.'

/** To take an invitation back. Throws NOT_FOUND, FORBIDDEN. */
export async function grantRevocation(db: Db, { viewer, board }: BoardGrant<'change'>, invitationId: number) {
  const invitation = await findOpen(db, board.id, invitationId)
  if (!invitation) throw notFound('Invitation not found')
  if (!mayRevokeInvitation(viewer, board, invitation))
    throw forbidden('Only the board creator and who sent an invitation can revoke it.')
  return { invitation } as RevocationGrant
}

/**
 * To join a board by an invitation's link, or by the board's number where the viewer's own address is invited; without
 * an invitation where the viewer is a member. Throws NOT_FOUND, whatever is wrong with it.
 */
export async function grantJoining(db: Db, viewer: Viewer & { email: string }, by: { token: string } | { boardId: number }) {
  const boardId = 'token' in by ? await boardOfInvitation(db, by.token) : by.boardId
  if (boardId === undefined) throw notFound(INVALID)
  await lockBoard(db, boardId)
  // Looked up under the lock: somebody else may have used it meanwhile.
  const invitation = await findInvitation(db, 'token' in by ? by : { boardId, email: viewer.email })
  const own = await findBoardAsMember(db, viewer.id, boardId)
  if (own && (invitation || 'boardId' in by)) return { board: own, invitation: null }
  if (!invitation) throw notFound(INVALID)
  return { viewer, board: invitation.board, invitation } as JoinGrant
}

/** To end a membership. Throws FORBIDDEN. */
export function grantRemoval({ viewer, board }: BoardGrant<'change'>, memberId: number): MemberGrant {
  if (!mayRemoveMember(viewer, board, memberId)) throw forbidden(memberId === board.createdBy ? CREATOR_STAYS : ONLY_CREATOR)
  return { viewer, board, memberId } as MemberGrant
}

/** To delete one's account, within a transaction. Throws UNAUTHORIZED, CONFLICT. */
export async function grantDeparture(db: Db, viewer: { id: number; email: string }): Promise<DepartureGrant> {
  return { viewer, boards: await holdWithBoards(db, viewer.id) } as DepartureGrant
}

/** To change one's name or picture, within a transaction. Throws UNAUTHORIZED, CONFLICT. */
export async function grantProfile(db: Db, { id }: { id: number }): Promise<ProfileGrant> {
  return { viewer: { id }, boards: await holdWithBoards(db, id) } as ProfileGrant
}

/** Holds every board that somebody is on, or left something on, and then the account: in the order of boards' changes. */
async function holdWithBoards(db: Db, userId: number) {
  const before = new Set((await boardsOf(db, userId)).map(({ id }) => id))
  if (before.size > 0) await lockBoards(db, [...before])
  if (!(await holdAccount(db, userId))) throw unauthorized()
  const boards = await boardsOf(db, userId)
  if (!boards.every(({ id }) => before.has(id))) throw conflict('Your boards were just changed. Please try again.')
  return boards
}

async function asMember(db: Db, viewer: Viewer, boardId: number) {
  const board = await findBoardAsMember(db, viewer.id, boardId)
  if (!board) throw notFound('Board not found')
  return { viewer, board }
}

async function asMemberOf(db: Db, viewer: Viewer, taskId: number, boardId: number | undefined, missing = 'Task not found') {
  if (boardId === undefined) throw notFound(missing)
  const [board, task] = await Promise.all([findBoardAsMember(db, viewer.id, boardId), findTask(db, taskId)])
  if (!board || !task) throw notFound(missing)
  return { viewer, board, task }
}

function assertUnlocked(viewer: Viewer, board: BoardRow) {
  if (isLocked(viewer, board)) throw forbidden(FREE_LIMIT, { requiresUpgrade: true })
}

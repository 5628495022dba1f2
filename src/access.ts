/** Who may do what: asked by the page's buttons and the server's grants alike. */

export type Viewer = { id: number; isPro: boolean }
export type BoardFacts = { createdBy: number }
export type TaskFacts = { createdBy: number | null }
export type DeletedTaskFacts = { deletedBy: number | null }
export type CommentFacts = { userId: number }
export type TimeEntryFacts = { userId: number }
export type TimerFacts = { status: 'completed' | 'ACTIVE' | 'PAUSED' }

const isCreator = (viewer: Viewer, board: BoardFacts) => viewer.id === board.createdBy

/** Without Pro, a creator's first board stays writable and their other boards are read-only. */
export const isLocked = (viewer: Viewer, board: BoardFacts & { isFirst: boolean }) =>
  isCreator(viewer, board) && !viewer.isPro && !board.isFirst

export const mayCreateBoard = (viewer: Viewer, boardsCreated: number, freeBoards: number) =>
  viewer.isPro || boardsCreated < freeBoards

export const mayEditBoard = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)
export const mayDeleteBoard = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)
export const mayRestoreBoard = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)
export const mayExportBoard = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)

export const mayHandOver = (viewer: Viewer, board: BoardFacts, userId: number) => isCreator(viewer, board) && viewer.id !== userId

/** Decides who is asked about imported names, and sees the answers. */
export const mayOfferNames = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)

/** The creator removes others, anyone may leave, the creator stays. */
export const mayRemoveMember = (viewer: Viewer, board: BoardFacts, memberId: number) =>
  memberId !== board.createdBy && (isCreator(viewer, board) || viewer.id === memberId)

export const mayRevokeInvitation = (viewer: Viewer, board: BoardFacts, invitation: { invitedBy: number }) =>
  isCreator(viewer, board) || viewer.id === invitation.invitedBy

/** Files of people who are not on the board any more can be deleted by its creator, as nobody else could. */
export const mayDeleteAttachment = (viewer: Viewer, board: BoardFacts, file: { userId: number }, isByMember: boolean) =>
  viewer.id === file.userId || (isCreator(viewer, board) && !isByMember)

export const mayDeleteTask = (viewer: Viewer, board: BoardFacts, task: TaskFacts) =>
  isCreator(viewer, board) || viewer.id === task.createdBy

/** Others see the tasks that they deleted themselves. */
export const maySeeAllDeletedTasks = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)

export const mayRestoreTask = (viewer: Viewer, board: BoardFacts, task: DeletedTaskFacts) =>
  isCreator(viewer, board) || viewer.id === task.deletedBy

export const mayChangeComment = (viewer: Viewer, comment: CommentFacts) => viewer.id === comment.userId

export const mayChangeTimeEntry = (viewer: Pick<Viewer, 'id'>, entry: TimeEntryFacts) => viewer.id === entry.userId

/** Rates are between each person and the board's creator, who sets them. */
export const maySetRates = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)
export const maySeeAllRates = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)

/** On a locked board a timer can still be stopped or confirmed. */
const TRANSITIONS_WHILE_LOCKED: Record<TimerFacts['status'], readonly string[]> = {
  ACTIVE: ['PAUSED', 'completed', 'confirmed'],
  PAUSED: ['completed'],
  completed: [],
}
const STOP_FIELDS = ['status', 'duration', 'note', 'notify', 'at']
export type TimerTransition = TimerFacts['status'] | 'confirmed'
export const mayChangeTimerWhileLocked = ({ status }: TimerFacts, to: TimerTransition | undefined, fields: readonly string[]) =>
  to !== undefined && TRANSITIONS_WHILE_LOCKED[status].includes(to) && fields.every((field) => STOP_FIELDS.includes(field))

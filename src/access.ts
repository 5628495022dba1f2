/** Who may do what. Each rule is one line over plain facts; the page's buttons and the server's grants ask the same ones. */

export type Viewer = { id: number; isPro: boolean }
export type BoardFacts = { createdBy: number }
export type TaskFacts = { createdBy: number | null }
export type CommentFacts = { userId: number }
export type TimeEntryFacts = { userId: number }
export type TimerFacts = { status: 'completed' | 'ACTIVE' | 'PAUSED' }

const isCreator = (viewer: Viewer, board: BoardFacts) => viewer.id === board.createdBy

/** An own board that is not the first is read-only while its creator is not Pro (contract.md, section 3). */
export const isLocked = (viewer: Viewer, board: BoardFacts & { isFirst: boolean }) =>
  isCreator(viewer, board) && !viewer.isPro && !board.isFirst

export const mayCreateBoard = (viewer: Viewer, boardsCreated: number, freeBoards: number) =>
  viewer.isPro || boardsCreated < freeBoards

export const mayEditBoard = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)
export const mayDeleteBoard = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)

/** The creator removes others, anyone may leave, the creator stays. */
export const mayRemoveMember = (viewer: Viewer, board: BoardFacts, memberId: number) =>
  memberId !== board.createdBy && (isCreator(viewer, board) || viewer.id === memberId)

/** Whoever sent an invitation takes it back, and the creator any. */
export const mayRevokeInvitation = (viewer: Viewer, board: BoardFacts, invitation: { invitedBy: number }) =>
  isCreator(viewer, board) || viewer.id === invitation.invitedBy

export const mayDeleteAttachment = (viewer: Viewer, attachment: { userId: number }) => viewer.id === attachment.userId

export const mayDeleteTask = (viewer: Viewer, board: BoardFacts, task: TaskFacts) =>
  isCreator(viewer, board) || viewer.id === task.createdBy

/** Editing and deleting: only the author's (board-page.md, section 6). */
export const mayChangeComment = (viewer: Viewer, comment: CommentFacts) => viewer.id === comment.userId

/** Editing and deleting: only whoever did the work (board-page.md, section 6). */
export const mayChangeTimeEntry = (viewer: Pick<Viewer, 'id'>, entry: TimeEntryFacts) => viewer.id === entry.userId

/** What people's work costs is between each of them and the board's creator, who says it. */
export const maySetRates = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)
export const maySeeAllRates = (viewer: Viewer, board: BoardFacts) => isCreator(viewer, board)

/** What may become of a timer on a locked board too: it stops, and whoever is there may say so (contract.md, section 4). */
const WHILE_LOCKED: Record<TimerFacts['status'], readonly string[]> = {
  ACTIVE: ['PAUSED', 'completed', 'confirmed'],
  PAUSED: ['completed'],
  completed: [],
}
/** What is said as a timer stops; nothing else of it changes with that. */
const WITH_THE_STOP = ['status', 'duration', 'note', 'notify']
export type TimerTransition = TimerFacts['status'] | 'confirmed'
export const mayTurnWhileLocked = ({ status }: TimerFacts, to: TimerTransition | undefined, fields: readonly string[]) =>
  to !== undefined && WHILE_LOCKED[status].includes(to) && fields.every((field) => WITH_THE_STOP.includes(field))

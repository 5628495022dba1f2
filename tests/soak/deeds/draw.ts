import type { Person } from '../person'
import type { Deed, Lot, Make } from './deed'
import { changeMembers, inviteByMail, renameBoard, renameOneself } from './onBoards'
import { changeComment, comment } from './onComments'
import { assign, createTask, deleteTask, editTask, moveTask, restoreTask } from './onTasks'
import { changeTime, logTime, startTimer, turnTimer } from './onTime'

const MOST_TASKS = 30
const FEWEST_TASKS = 6

/** How often each is drawn, of all together. */
const SHARES: [Make, number][] = [
  [createTask, 10],
  [editTask, 14],
  [moveTask, 20],
  [deleteTask, 8],
  [restoreTask, 4],
  [assign, 8],
  [comment, 12],
  [changeComment, 6],
  [logTime, 8],
  [changeTime, 5],
  [startTimer, 5],
  [turnTimer, 6],
  [renameBoard, 2],
  [renameOneself, 1],
  [inviteByMail, 1],
  [changeMembers, 3],
]
const ALL = SHARES.flatMap(([make, share]) => Array<Make>(share).fill(make))

/** What somebody does next, on a board that they see. */
export function drawDeed(lot: Lot, person: Person, people: Person[]): (Deed & { name: string; board: number }) | undefined {
  const boards = person.clients.flatMap(({ boards }) => [...boards.values()].flatMap(({ snapshot }) => snapshot ?? []))
  if (boards.length === 0) return
  const snapshot = lot.oneOf(boards)
  const make = snapshot.tasks.length < FEWEST_TASKS ? createTask : lot.oneOf(ALL)
  if (make === createTask && snapshot.tasks.length >= MOST_TASKS) return
  const deed = make({ lot, person, snapshot, people })
  return deed && { ...deed, name: make.name, board: snapshot.board.id }
}

import { useViewer } from '../../auth/page/cache'
import type { Received } from '../../protocol'
import type { UserSummary } from '../../users/schema'
import { type Call, client } from '../../web/client'
import { lazySchema } from '../../web/lazy'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { useChange } from '../../web/live/predictions'
import { reasonOr } from '../../web/refusal'
import { serverNow } from '../../web/serverClock'
import { LONG, toast } from '../../web/toast'
import { useDraft } from '../../web/useDraft'
import { TITLE_MISSING } from '../basics'
import type { NewTask, Snapshot, Task, TaskMessage } from '../schema'
import { movedTo } from './taskPlace'

/** One of several is not told of by itself. */
type Creation = { given: NewTask; createdBy: number; assignees?: UserSummary[]; isOneOfSeveral?: boolean }

function newTaskOf(
  { given, createdBy, assignees = [] }: Creation,
  { id, boardId, at }: Pick<Made, 'id' | 'boardId' | 'at'>,
  board: Snapshot | undefined,
): Task {
  const { title, status, tags, description = null, dueDate = null } = given
  const none = { assignees, commentCount: 0, fileCount: 0, minutes: 0, updatedAt: null, revision: 1 }
  const createdAt = new Date(at).toISOString()
  const doneAt = status === 'done' ? createdAt : null
  const task = { id, title, description, status, tags, dueDate, boardId, createdBy, createdAt, doneAt, position: '', ...none }
  return movedTo(board?.tasks ?? [], task, { status })
}

const creation = {
  creates: { type: 'new_task', as: 'task' } as const,
  send: ({ given }: Creation, call: Call, { boardId }: Made) => client.tasks.create.mutate({ boardId, ...given }, call),
  predict: (creation: Creation, made: Made, board: Snapshot | undefined): Received<TaskMessage>[] => [
    { type: 'new_task', payload: { task: newTaskOf(creation, made, board) } },
  ],
  textOf: ({ given }: Creation) => [given.title, given.description].filter(Boolean).join('\n\n'),
  texts: {
    success: (_task: Task, { isOneOfSeveral }: Creation) => (isOneOfSeveral ? null : { title: 'Task Created' }),
    failure: (error: unknown) => ({
      title: 'Creation Failed',
      description: reasonOr(error, 'Could not create the task. Please try again.'),
    }),
  },
}

const create = changeKind({ name: 'tasks.create', waits: true, ...creation })
const add = changeKind({ name: 'tasks.add', ...creation })

/** `run` answers with the task, as it is predicted where the server cannot be reached. */
function useCreation(boardId: number, kind: typeof add) {
  const { id: createdBy } = useViewer()
  const { run: submitted, isPending } = useChange(boardId, kind)
  const run = async (given: NewTask, assignees: UserSummary[], isOneOfSeveral = false): Promise<Task | undefined> => {
    const creation = { given, createdBy, assignees, isOneOfSeveral }
    const outcome = await submitted(creation)
    return outcome && (outcome.answer ?? newTaskOf(creation, { ...outcome, boardId, at: serverNow() }, undefined))
  }
  return { run, isPending }
}

export const useCreateTask = (boardId: number) => useCreation(boardId, create)

/** The task is there at once, for its form goes on to the next. */
export const useAddTask = (boardId: number) => useCreation(boardId, add)

export const useNewTaskSchema = lazySchema(() => import('../schema').then((module) => module.newTask))

/** `from` is the column for which the status was chosen; another column starts with its own. Lists are one line each. */
const EMPTY_DRAFT = { title: '', description: '', status: '', from: '', dueDate: '', tags: '', assignees: '' }

export const useNewTaskDraft = (boardId: number) => useDraft(`new-task-${boardId}`, EMPTY_DRAFT)

export const tellTitleMissing = () => toast({ variant: 'destructive', title: 'Title Required', description: TITLE_MISSING })

/** Those that are shown are seen, and one alone is told of by its creation. */
export function tellAdded(tasks: Task[], hidden: Task[], onShow: (task: Task) => void): void {
  const isOne = tasks.length === 1
  const [first] = hidden
  if (!first) return
  const title = isOne ? 'Task Created' : `${tasks.length} Tasks Created`
  const description = isOne ? 'The filter hides it.' : `The filter hides ${hidden.length} of them.`
  toast({ title, description, duration: LONG, actions: [{ label: 'Show', run: () => onShow(first) }] })
}

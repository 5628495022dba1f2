import type { LucideIcon } from 'lucide-react'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Tag from 'lucide-react/icons/tag'
import Trash2 from 'lucide-react/icons/trash'
import UserPlus from 'lucide-react/icons/user-plus'
import X from 'lucide-react/icons/x'
import * as DropdownMenu from 'radix-ui/dropdown-menu'
import { type ReactNode, use, useRef, useState } from 'react'
import { mayDeleteTask } from '../../access'
import { boardViewNow, useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { countText } from '../../format'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { useKeys } from '../../web/keyboard'
import { useLiveMessages } from '../../web/live/socket'
import { part, submitTogether } from '../../web/live/undoableChanges'
import { toast } from '../../web/toast'
import { Button, IconButton } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { Field } from '../../web/ui/Field'
import { MenuItem, MenuPanel } from '../../web/ui/Menu'
import { Popover, PopoverPanel } from '../../web/ui/Popover'
import { STATUS_LABELS, STATUSES, type Status, TAGS_MAX } from '../limits'
import type { RunningTimer, Task } from '../schema'
import { assign, deleteTask, move, unassign, update } from './cache'
import { goingText, isAssigned, tagsOf } from './display'
import { AssigneeItems } from './TaskMenuItems'
import { TagInput } from './taskFields'
import { columnKeys, MovesContext } from './useKeyboardMove'

type Props = {
  board: Board
  tasks: Task[]
  timers: RunningTimer[]
  isLifting: boolean
  current(): Task | undefined
  onFocus(taskId: number): void
  onClear(): void
}
type Open = { part: 'move' | 'assign' | 'tag'; from: number | undefined } | null

/** Changes all selected cards at once, by the same keys as one card. */
export function SelectionBar({ board, tasks, timers, isLifting, current, onFocus, onClear }: Props) {
  const bar = useRef<HTMLElement>(null)
  const [open, setOpen] = useState<Open>(null)
  const lastFrom = useRef<number>(undefined)
  if (open) lastFrom.current = open.from
  const isTooMany = tasks.length > TOGETHER_MAX
  const clear = () => {
    const [first] = tasks
    if (first && bar.current?.contains(document.activeElement)) onFocus(first.id)
    onClear()
  }
  const { leave } = use(MovesContext)
  /** Reads the cache: `tasks` may still hold a task that was just deleted. */
  const isThere = (taskId: number) => !!boardViewNow(board.id)?.tasks.some(({ id }) => id === taskId)
  useLiveMessages({
    task_deleted() {
      const [first] = tasks
      if (!first || tasks.some(({ id }) => isThere(id)) || !(open || bar.current?.contains(document.activeElement))) return
      onClear()
      leave(first, tasks)
    },
  })
  const byKey = (part: 'move' | 'assign') => () => setOpen({ part, from: current()?.id })
  useKeys({
    Escape: clear,
    ...(!(isTooMany || isLifting) && {
      a: byKey('assign'),
      m: byKey('move'),
      ...columnKeys((status) => () => moveAll(board.id, tasks, status)),
    }),
  })
  const menuOf = (part: 'move' | 'assign') => ({
    open: open?.part === part,
    onOpenChange: (next: boolean) => setOpen(next ? { part, from: undefined } : null),
    disabled: isTooMany,
    /** A menu opened by key from a card returns the focus to it, wherever it is by then. */
    onCloseAutoFocus(event: Event) {
      const from = lastFrom.current
      if (from === undefined || !isThere(from)) return
      event.preventDefault()
      onFocus(from)
    },
  })
  return (
    <section
      ref={bar}
      aria-label="Selected tasks"
      className="mx-4 mb-4 flex max-w-full animate-rise items-center gap-1 rounded-panel bg-raised p-1.5 pl-3 shadow-panel sm:mx-auto short:sticky short:bottom-2 short:z-20"
    >
      <p role="status" className="tabular mr-auto min-w-0 sm:mr-2">
        {tasks.length} selected{isTooMany && ` (at most ${TOGETHER_MAX} at once)`}
      </p>
      <BarMenu icon={ArrowRight} label="Move" {...menuOf('move')}>
        {STATUSES.map((status) => (
          <MenuItem
            key={status}
            disabled={tasks.every((task) => task.status === status)}
            onSelect={() => moveAll(board.id, tasks, status)}
          >
            {STATUS_LABELS[status]}
          </MenuItem>
        ))}
      </BarMenu>
      <BarMenu icon={UserPlus} label="Assign" {...menuOf('assign')}>
        <AssigneeItems
          members={board.members}
          tasks={tasks}
          onChange={(user, isOfAll) => changeAssignee(board.id, tasks, user, !isOfAll)}
        />
      </BarMenu>
      <Popover
        open={open?.part === 'tag'}
        onOpenChange={(next) => {
          // Leaving the field adds the typed tag, but a removed field fires no blur.
          if (!next && document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
          setOpen(next ? { part: 'tag', from: undefined } : null)
        }}
        trigger={
          <Button look="quiet" size="small" disabled={isTooMany}>
            <Tag className="size-4" aria-hidden />
            <span className="max-sm:sr-only">Tag</span>
          </Button>
        }
      >
        <PopoverPanel label="Tag">
          <Tags boardId={board.id} tasks={tasks} />
        </PopoverPanel>
      </Popover>
      <Deletion board={board} tasks={tasks} timers={timers} disabled={isTooMany} onDelete={onClear} />
      <IconButton icon={X} label="Clear selection" onClick={clear} />
    </section>
  )
}

type MenuProps = {
  icon: LucideIcon
  label: string
  open: boolean
  disabled: boolean
  onOpenChange(open: boolean): void
  onCloseAutoFocus(event: Event): void
  children: ReactNode
}

const BarMenu = ({ icon: Icon, label, open, disabled, onOpenChange, onCloseAutoFocus, children }: MenuProps) => (
  <DropdownMenu.Root open={open} onOpenChange={onOpenChange}>
    <DropdownMenu.Trigger asChild>
      <Button look="quiet" size="small" disabled={disabled}>
        <Icon className="size-4" aria-hidden />
        <span className="max-sm:sr-only">{label}</span>
      </Button>
    </DropdownMenu.Trigger>
    <MenuPanel side="top" align="start" onCloseAutoFocus={onCloseAutoFocus}>
      {children}
    </MenuPanel>
  </DropdownMenu.Root>
)

/** The field holds the tags that all of the tasks have. */
function Tags({ boardId, tasks }: { boardId: number; tasks: Task[] }) {
  const known = tagsOf(useBoardView(boardId)?.tasks ?? [])
  const common = (tasks[0]?.tags ?? []).filter((tag) => tasks.every(({ tags }) => tags.includes(tag)))
  const change = (tags: string[]) =>
    changeTags(
      boardId,
      tasks,
      tags.filter((tag) => !common.includes(tag)),
      common.filter((tag) => !tags.includes(tag)),
    )
  return (
    <Field label={`Tags on ${countText(tasks.length, 'task')}`}>
      {({ id }) => <TagInput id={id} tags={common} known={known} onChange={change} />}
    </Field>
  )
}

type DeletionProps = Pick<Props, 'board' | 'tasks' | 'timers'> & { disabled: boolean; onDelete(): void }

/** Asks if more than the tasks would be deleted, or if some may not be. */
function Deletion({ board, tasks, timers, disabled, onDelete }: DeletionProps) {
  const viewer = useViewer()
  const { leave } = use(MovesContext)
  const [asking, setAsking] = useState(false)
  const own = tasks.filter((task) => mayDeleteTask(viewer, board, task))
  const going = goingText(own, timers)
  const staying = tasks.length - own.length
  const kept =
    staying > 0 &&
    `${countText(staying, 'task')} will not be deleted: only ${staying === 1 ? 'its creator or the board creator can delete it' : 'their creators or the board creator can delete them'}.`
  const remove = () => {
    const [first] = own
    if (first) leave(first, own)
    onDelete()
    deleteAll(board.id, own)
  }
  const press = () => {
    if (own.length === 0)
      toast({
        variant: 'destructive',
        title: 'Permission Denied',
        description: `You don't have permission to delete ${tasks.length === 1 ? 'this task' : 'these tasks'}.`,
      })
    else if (going || kept) setAsking(true)
    else remove()
  }
  return (
    <>
      <Button look="quiet-danger" size="small" disabled={disabled} onClick={press}>
        <Trash2 className="size-4" aria-hidden />
        <span className="max-sm:sr-only">Delete</span>
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={own.length === 1 ? 'Delete this task?' : `Delete ${own.length} tasks?`}
        text={[going, kept].filter(Boolean).join(' ')}
        action={own.length === 1 ? 'Delete Task' : 'Delete Tasks'}
        onConfirm={remove}
      />
    </>
  )
}

/** More would exceed the limit on changes per minute. */
const TOGETHER_MAX = 100

const tasksText = (count: number) => countText(count, 'task')

function moveAll(boardId: number, tasks: Task[], status: Status): void {
  const moved = tasks.filter((task) => task.status !== status)
  submitTogether(
    boardId,
    moved.map(({ id }) => part(move, { taskId: id, place: { status } })),
    (count) => ({ title: `Moved to ${STATUS_LABELS[status]}`, description: tasksText(count) }),
  )
}

function changeAssignee(boardId: number, tasks: Task[], user: UserSummary, isAdded: boolean): void {
  const changed = tasks.filter((task) => isAssigned(task, user) !== isAdded)
  submitTogether(
    boardId,
    changed.map(({ id: taskId }) => (isAdded ? part(assign, { taskId, user }) : part(unassign, { taskId, userId: user.id }))),
    (count) => ({
      title: isAdded ? 'User Assigned' : 'Assignee Removed',
      description: `${displayName(user)} · ${tasksText(count)}`,
    }),
  )
}

/** A task that would have too many stays as it is. */
function changeTags(boardId: number, tasks: Task[], added: string[], removed: string[]): void {
  const wanted = tasks.map((task) => ({
    task,
    tags: [...new Set([...task.tags, ...added])].filter((tag) => !removed.includes(tag)),
  }))
  const full = wanted.filter(({ tags }) => tags.length > TAGS_MAX).length
  const isChanged = ({ task, tags }: (typeof wanted)[number]) => tags.join() !== task.tags.join() && tags.length <= TAGS_MAX
  const changed = wanted.filter(isChanged).map(({ task, tags }) => part(update, { taskId: task.id, changes: { tags } }))
  const isFull = full > 0 && `${countText(full, 'task')} would have more than ${TAGS_MAX} tags`
  if (changed.length === 0 && isFull) return void toast({ variant: 'destructive', title: 'Tags Not Added', description: isFull })
  submitTogether(boardId, changed, (count) => ({
    title: 'Tags Changed',
    description: [tasksText(count), isFull].filter(Boolean).join(' · '),
  }))
}

function deleteAll(boardId: number, tasks: Task[]): void {
  submitTogether(
    boardId,
    tasks.map(({ id }) => part(deleteTask, { taskId: id })),
    (count) => ({ title: count === 1 ? 'Task Deleted' : 'Tasks Deleted', description: tasksText(count) }),
  )
}

import * as DropdownMenu from 'radix-ui/dropdown-menu'
import { createContext, type KeyboardEvent, type MouseEvent, type ReactNode, use, useCallback, useRef, useState } from 'react'
import { mayDeleteTask } from '../../access'
import { addDays, dayAt, mondayOf } from '../../basics'
import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { useTimerOf } from '../../time/page/timerToggles'
import { copyText } from '../../users/page/Copyable'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { Confirm } from '../../web/ui/Confirm'
import { MenuCheckbox, MenuItem, MenuLine, MenuPanel, SubMenu } from '../../web/ui/Menu'
import { STATUS_LABELS, STATUSES, type Status } from '../basics'
import type { Task } from '../schema'
import { taskHash } from './address'
import { useAssign, useDeleteTask, useUnassign, useUpdateTask } from './cache'
import { cardAt } from './cardDrag'
import { deletionText } from './display'
import { BOARD_ID, MovesContext } from './useKeyboardMove'

type Opened = { taskId: number; x: number; y: number; from: HTMLElement }
type OpenMenu = (taskId: number, from: HTMLElement, x: number, y: number) => void

export const TaskMenuContext = createContext<OpenMenu>(() => {})

/** One menu for all cards: it opens at the pointer, or below the card or its button. */
export function useTaskMenu(board: Board, tasks: Task[], locked: boolean) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const open: OpenMenu = useCallback((taskId, from, x, y) => setOpened({ taskId, from, x, y }), [])
  const task = opened && tasks.find(({ id }) => id === opened.taskId)

  function onContextMenu(event: MouseEvent) {
    const card = locked ? null : cardAt(event.target)
    // A finger that rests on a card drags it.
    if (!card || ('pointerType' in event.nativeEvent && event.nativeEvent.pointerType === 'touch')) return
    event.preventDefault()
    open(Number(card.dataset.task), card, event.clientX, event.clientY)
  }
  function onKeyDown(event: KeyboardEvent) {
    const card = locked ? null : cardAt(event.target)
    if (!card || !(event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))) return false
    event.preventDefault()
    const { left, bottom } = card.getBoundingClientRect()
    open(Number(card.dataset.task), card, left, bottom)
    return true
  }
  const close = (hasMoved: boolean) => {
    setOpened(null)
    // A moved card gets the focus at its new place.
    if (!hasMoved && opened?.from.isConnected) opened.from.focus({ preventScroll: true })
  }
  const menu = opened && task && (
    <TaskMenu key={`${opened.taskId} ${opened.x} ${opened.y}`} board={board} task={task} onClose={close}>
      <span className="fixed size-0" style={{ left: opened.x, top: opened.y }} aria-hidden tabIndex={-1} />
    </TaskMenu>
  )
  return { open, menu, onContextMenu, onKeyDown }
}

type Props = { board: Board; task: Task; onClose(hasMoved: boolean): void; children: ReactNode }

/** `children` is where the menu hangs. */
function TaskMenu({ board, task, onClose, children }: Props) {
  const hasMoved = useRef(false)
  const [asking, setAsking] = useState(false)
  const isAsking = useRef(false)
  const deletion = useDeleteTask(board.id)
  const { leave } = use(MovesContext)
  const remove = () => {
    hasMoved.current = true
    leave(task)
    void deletion.run(task.id)
  }
  const answered = (open: boolean) => {
    setAsking(open)
    if (!open) onClose(hasMoved.current)
  }
  const ask = () => {
    isAsking.current = true
    setAsking(true)
  }
  const timers = useBoardView(board.id)?.timers
  const text = deletionText(task, timers)
  if (asking)
    return <Confirm open onOpenChange={answered} title="Delete Task" text={text ?? ''} action="Delete Task" onConfirm={remove} />
  return (
    <DropdownMenu.Root defaultOpen modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <MenuPanel
        within={document.getElementById(BOARD_ID)}
        align="start"
        aria-label={task.title}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (!isAsking.current) onClose(hasMoved.current)
        }}
      >
        <People board={board} task={task} />
        <Due boardId={board.id} task={task} />
        <TimerItem task={task} />
        <MenuLine />
        <Moves
          task={task}
          onMove={() => {
            hasMoved.current = true
          }}
        />
        <MenuLine />
        <MenuItem onSelect={() => void copyText(linkTo(board.id, task), 'Link Copied')}>Copy link</MenuItem>
        <DeleteItem board={board} task={task} onSelect={text ? ask : remove} />
      </MenuPanel>
    </DropdownMenu.Root>
  )
}

function People({ board, task }: { board: Board; task: Task }) {
  const viewer = useViewer()
  const assign = useAssign(board.id)
  const unassign = useUnassign(board.id)
  const isAssigned = (user: UserSummary) => task.assignees.some(({ id }) => id === user.id)
  const self = board.members.filter(({ id }) => id === viewer.id)
  const others = board.members.filter(({ id }) => id !== viewer.id)
  const change = (user: UserSummary) =>
    void (isAssigned(user) ? unassign.run({ taskId: task.id, userId: user.id }) : assign.run({ taskId: task.id, user }))
  return (
    <SubMenu label="Assign" within={document.getElementById(BOARD_ID)}>
      {[...self, ...others].map((user) => (
        <MenuCheckbox key={user.id} checked={isAssigned(user)} onCheckedChange={() => change(user)}>
          <span dir="auto" className="truncate">
            {user.id === viewer.id ? `${displayName(user)} (you)` : displayName(user)}
          </span>
        </MenuCheckbox>
      ))}
    </SubMenu>
  )
}

function Due({ boardId, task }: { boardId: number; task: Task }) {
  const update = useUpdateTask(boardId)
  const today = dayAt(new Date())
  const set = (dueDate: string | null) => void update.run({ taskId: task.id, changes: { dueDate } })
  return (
    <SubMenu label="Due date" within={document.getElementById(BOARD_ID)}>
      <MenuItem onSelect={() => set(today)}>Today</MenuItem>
      <MenuItem onSelect={() => set(addDays(today, 1))}>Tomorrow</MenuItem>
      <MenuItem onSelect={() => set(addDays(mondayOf(today), 7))}>Next Monday</MenuItem>
      {task.dueDate && <MenuItem onSelect={() => set(null)}>No due date</MenuItem>}
    </SubMenu>
  )
}

function TimerItem({ task }: { task: Task }) {
  const { isRunning, isOffered, toggle } = useTimerOf(task)
  return isOffered && <MenuItem onSelect={toggle}>{isRunning ? 'Stop timer' : 'Start timer'}</MenuItem>
}

function Moves({ task, onMove }: { task: Task; onMove(): void }) {
  const { tasks, moveTo } = use(MovesContext)
  const inColumn = (status: Status) => tasks.filter((other) => other.status === status)
  const own = inColumn(task.status)
  const index = own.findIndex(({ id }) => id === task.id)
  const move = (status: Status, to: number) => {
    onMove()
    moveTo(task, status, to)
  }
  return (
    <>
      <MenuItem disabled={index <= 0} onSelect={() => move(task.status, index - 1)}>
        Move up
      </MenuItem>
      <MenuItem disabled={index === own.length - 1} onSelect={() => move(task.status, index + 1)}>
        Move down
      </MenuItem>
      {STATUSES.filter((status) => status !== task.status).map((status) => (
        <MenuItem key={status} onSelect={() => move(status, inColumn(status).length)}>
          Move to {STATUS_LABELS[status]}
        </MenuItem>
      ))}
    </>
  )
}

function DeleteItem({ board, task, onSelect }: { board: Board; task: Task; onSelect(): void }) {
  const viewer = useViewer()
  if (!mayDeleteTask(viewer, board, task)) return null
  return (
    <MenuItem className="text-danger" onSelect={onSelect}>
      Delete
    </MenuItem>
  )
}

const linkTo = (boardId: number, { id }: Task) => new URL(`/board/${boardId}#${taskHash(id)}`, location.origin).href

import * as DropdownMenu from 'radix-ui/dropdown-menu'
import {
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { mayDeleteTask } from '../../access'
import { useBoardView } from '../../boards/page/cache'
import type { Board } from '../../boards/schema'
import { addDays, dayAt, mondayOf } from '../../days'
import { useTimerOf } from '../../time/page/timerToggles'
import { copyText } from '../../users/page/Copyable'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { Confirm } from '../../web/ui/Confirm'
import { Calendar } from '../../web/ui/DayInput'
import { Dialog } from '../../web/ui/Dialog'
import { MenuCheckbox, MenuItem, MenuLine, MenuPanel, SubMenu } from '../../web/ui/Menu'
import { STATUS_LABELS, STATUSES, type Status } from '../limits'
import type { Task } from '../schema'
import { useAssign, useDeleteTask, useUnassign, useUpdateTask } from './cache'
import { cardAt } from './cardDrag'
import { deletionText, isAssigned } from './display'
import { taskHash } from './taskUrl'
import { BOARD_ID, MovesContext } from './useKeyboardMove'

/** A part of the menu that a key opens by itself. */
type MenuPart = 'Assign' | 'Due date' | 'Move'
/** Where it opens: a point, the card's button, or all of a card, so that the menu is never over its title. */
type Place = Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>
type Opened = { taskId: number; place: Place; from: HTMLElement; align: 'start' | 'end'; part?: MenuPart }
type OpenMenu = (taskId: number, button: HTMLElement) => void

export const TaskMenuContext = createContext<OpenMenu>(() => {})

/** One menu for all cards: it opens at the pointer, or below the card or its button. */
export function useTaskMenu(board: Board, tasks: Task[], locked: boolean) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const open: OpenMenu = useCallback(
    (taskId, button) => setOpened({ taskId, from: button, place: button.getBoundingClientRect(), align: 'end' }),
    [],
  )
  const [dating, setDating] = useState<Dating | null>(null)
  const task = opened && tasks.find(({ id }) => id === opened.taskId)

  function onContextMenu(event: MouseEvent) {
    const card = locked ? null : cardAt(event.target)
    // A finger that rests on a card drags it.
    if (!card || ('pointerType' in event.nativeEvent && event.nativeEvent.pointerType === 'touch')) return
    event.preventDefault()
    const place = { x: event.clientX, y: event.clientY, width: 0, height: 0 }
    setOpened({ taskId: Number(card.dataset.task), from: card, place, align: 'start' })
  }
  function onKeyDown(event: KeyboardEvent) {
    const card = locked ? null : cardAt(event.target)
    if (!card || !(event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))) return false
    event.preventDefault()
    openBelow(card)
    return true
  }
  function openBelow(card: HTMLElement, part?: MenuPart) {
    const place = card.getBoundingClientRect()
    setOpened({ taskId: Number(card.dataset.task), from: card, place, align: 'start', ...(part && { part }) })
  }
  function openPart(taskId: number, part: MenuPart) {
    const card = document.querySelector<HTMLElement>(`[data-task="${taskId}"]`)
    if (card) openBelow(card, part)
  }
  const close = (focusGoes: boolean) => {
    setOpened(null)
    // A moved card gets the focus at its new place, and a dialog has it.
    if (!focusGoes && opened?.from.isConnected) opened.from.focus({ preventScroll: true })
  }
  const menu = opened && task && (
    <TaskMenu
      key={`${opened.taskId} ${opened.place.x} ${opened.place.y}`}
      board={board}
      task={task}
      part={opened.part}
      align={opened.align}
      onOtherDay={() => setDating({ task, from: opened.from })}
      onClose={close}
    >
      {/* A ring for the card that a key opened it for: the menu has the focus. */}
      <span
        className={`pointer-events-none fixed z-30 rounded-card ${opened.place.width > 0 && opened.align === 'start' ? 'outline-2 outline-text' : ''}`}
        style={styleOf(opened.place)}
        aria-hidden
        tabIndex={-1}
      />
    </TaskMenu>
  )
  const calendar = <OtherDay boardId={board.id} dating={dating} onClose={() => setDating(null)} />
  return { open, openPart, menu, calendar, onContextMenu, onKeyDown }
}

const styleOf = ({ x, y, width, height }: Place) => ({ left: x, top: y, width, height })

type Props = {
  board: Board
  task: Task
  part: MenuPart | undefined
  align: Opened['align']
  onOtherDay(): void
  onClose(focusGoes: boolean): void
  children: ReactNode
}

/** `children` is where the menu hangs. */
function TaskMenu({ board, task, part, align, onOtherDay, onClose, children }: Props) {
  const focusGoes = useRef(false)
  const [asking, setAsking] = useState(false)
  const isAsking = useRef(false)
  const deletion = useDeleteTask(board.id)
  const { leave, isSelected, select } = use(MovesContext)
  const remove = () => {
    focusGoes.current = true
    leave(task)
    void deletion.run(task.id)
  }
  const answered = (open: boolean) => {
    setAsking(open)
    if (!open) onClose(focusGoes.current)
  }
  const ask = () => {
    isAsking.current = true
    setAsking(true)
  }
  const timers = useBoardView(board.id)?.timers
  const text = deletionText(task, timers)
  const passFocus = () => {
    focusGoes.current = true
  }
  const otherDay = () => {
    passFocus()
    onOtherDay()
  }
  const parts: Record<MenuPart, ReactNode> = {
    Assign: <People board={board} task={task} />,
    'Due date': <Due boardId={board.id} task={task} onOther={otherDay} />,
    Move: <Moves task={task} onMove={passFocus} />,
  }
  const within = document.getElementById(BOARD_ID)
  if (asking)
    return <Confirm open onOpenChange={answered} title="Delete Task" text={text ?? ''} action="Delete Task" onConfirm={remove} />
  return (
    <DropdownMenu.Root defaultOpen modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <MenuPanel
        within={within}
        align={align}
        aria-label={part ? `${part}: ${task.title}` : task.title}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (!isAsking.current) onClose(focusGoes.current)
        }}
      >
        {part ? (
          <>
            <FocusedFirst />
            {parts[part]}
          </>
        ) : (
          <>
            {(['Assign', 'Due date'] as const).map((label) => (
              <SubMenu key={label} label={label} within={within}>
                {parts[label]}
              </SubMenu>
            ))}
            <TimerItem task={task} />
            <MenuLine />
            {parts.Move}
            <MenuLine />
            <MenuItem onSelect={() => select(task)}>{isSelected(task) ? 'Deselect' : 'Select'}</MenuItem>
            <MenuItem onSelect={() => void copyText(linkTo(board.id, task), 'Link Copied')}>Copy link</MenuItem>
            <DeleteItem board={board} task={task} onSelect={text ? ask : remove} />
          </>
        )}
      </MenuPanel>
    </DropdownMenu.Root>
  )
}

/** Radix takes the key that opened the menu for a press of the pointer. */
function FocusedFirst() {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    place.current?.parentElement
      ?.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')
      ?.focus({ preventScroll: true })
  }, [])
  return <span ref={place} hidden />
}

function People({ board, task }: { board: Board; task: Task }) {
  const assign = useAssign(board.id)
  const unassign = useUnassign(board.id)
  const change = (user: UserSummary, isAssigned: boolean) =>
    void (isAssigned ? unassign.run({ taskId: task.id, userId: user.id }) : assign.run({ taskId: task.id, user }))
  return <AssigneeItems members={board.members} tasks={[task]} onChange={change} />
}

type AssigneeItemsProps = { members: UserSummary[]; tasks: Task[]; onChange(user: UserSummary, isAssigned: boolean): void }

/** The viewer first. Checked are those who are assigned to all of the tasks. */
export function AssigneeItems({ members, tasks, onChange }: AssigneeItemsProps) {
  const viewer = useViewer()
  const isViewer = ({ id }: UserSummary) => id === viewer.id
  return [...members.filter(isViewer), ...members.filter((user) => !isViewer(user))].map((user) => {
    const count = tasks.filter((task) => isAssigned(task, user)).length
    const isOfAll = count === tasks.length
    return (
      <MenuCheckbox
        key={user.id}
        checked={isOfAll || (count > 0 && 'indeterminate')}
        onCheckedChange={() => onChange(user, isOfAll)}
      >
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {displayName(user)}
          {isViewer(user) && ' (you)'}
        </span>
        {count > 0 && !isOfAll && (
          <span className="tabular text-quiet text-small">
            {count} of {tasks.length}
          </span>
        )}
      </MenuCheckbox>
    )
  })
}

function Due({ boardId, task, onOther }: { boardId: number; task: Task; onOther(): void }) {
  const update = useUpdateTask(boardId)
  const today = dayAt(new Date())
  const set = (dueDate: string | null) => void update.run({ taskId: task.id, changes: { dueDate } })
  return (
    <>
      <MenuItem onSelect={() => set(today)}>Today</MenuItem>
      <MenuItem onSelect={() => set(addDays(today, 1))}>Tomorrow</MenuItem>
      <MenuItem onSelect={() => set(addDays(mondayOf(today), 7))}>Next Monday</MenuItem>
      <MenuItem onSelect={onOther}>Another day…</MenuItem>
      {task.dueDate && <MenuItem onSelect={() => set(null)}>No due date</MenuItem>}
    </>
  )
}

type Dating = Pick<Opened, 'from'> & { task: Task }

function OtherDay({ boardId, dating, onClose }: { boardId: number; dating: Dating | null; onClose(): void }) {
  const update = useUpdateTask(boardId)
  const last = useRef(dating)
  if (dating) last.current = dating
  const task = dating?.task
  const giveBack = () => {
    last.current?.from.focus({ preventScroll: true })
    return true
  }
  const pick = (dueDate: string) => {
    if (task) void update.run({ taskId: task.id, changes: { dueDate } })
    onClose()
  }
  return (
    <Dialog open={task !== undefined} onOpenChange={onClose} title="Due date" passesFocus={giveBack}>
      <Calendar
        day={task?.dueDate ?? ''}
        today={dayAt(new Date())}
        past={false}
        onPick={pick}
        fallback={<div className="h-79 w-60" aria-busy />}
        onLost={onClose}
      />
    </Dialog>
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

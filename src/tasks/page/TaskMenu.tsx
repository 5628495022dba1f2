import { ChevronRight } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, use, useRef, useState } from 'react'
import { mayDeleteTask } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { addDays, dayAt, mondayOf } from '../../basics'
import type { Board } from '../../boards/schema'
import { useTimerOf } from '../../time/timers/page/timerToggles'
import { displayName, type UserSummary } from '../../users/schema'
import { toast, UNTIL_DISMISSED } from '../../web/toast'
import { besideToasts } from '../../web/ui/besideToasts'
import { Confirm } from '../../web/ui/Confirm'
import { STATUS_LABELS, STATUSES, type Status, type Task } from '../schema'
import { useAssign, useUnassign } from './assigning'
import { useDeleteTask, useUpdateTask } from './cache'
import { timeGoesText } from './display'
import { MovesContext } from './movesContext'
import { taskHash } from './taskHash'
import { BOARD_ID } from './useKeyboardMove'

type Props = { board: Board; task: Task; onClose(hasMoved: boolean): void; children: ReactNode }

/** All that is done to a task most often; `children` is where the menu hangs. */
export function TaskMenu({ board, task, onClose, children }: Props) {
  const hasMoved = useRef(false)
  const [asking, setAsking] = useState(false)
  const isAsking = useRef(false)
  const deletion = useDeleteTask(board.id)
  const remove = () => void deletion.run(task.id)
  const answered = (open: boolean) => {
    setAsking(open)
    if (!open) onClose(false)
  }
  const ask = () => {
    isAsking.current = true
    setAsking(true)
  }
  if (asking)
    return (
      <Confirm
        open
        onOpenChange={answered}
        title="Delete Task"
        text={timeGoesText(task)}
        action="Delete Task"
        onConfirm={remove}
      />
    )
  return (
    <DropdownMenu.Root defaultOpen modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.getElementById(BOARD_ID)}>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={task.title}
          onInteractOutside={besideToasts}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (!isAsking.current) onClose(hasMoved.current)
          }}
          className={PANEL}
        >
          <People board={board} task={task} />
          <Due boardId={board.id} task={task} />
          <TimerItem task={task} />
          <Line />
          <Moves
            task={task}
            onMove={() => {
              hasMoved.current = true
            }}
          />
          <Line />
          <Item onSelect={() => void copyLink(board.id, task)}>Copy link</Item>
          <DeleteItem board={board} task={task} onSelect={task.minutes > 0 ? ask : remove} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
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
    <Sub label="Assign">
      {[...self, ...others].map((user) => (
        <DropdownMenu.CheckboxItem
          key={user.id}
          checked={isAssigned(user)}
          // Stays open, for one may assign several.
          onSelect={(event) => event.preventDefault()}
          onCheckedChange={() => change(user)}
          className={ITEM}
        >
          <span className="w-5 shrink-0" aria-hidden>
            {isAssigned(user) && '✓'}
          </span>
          <span dir="auto" className="truncate">
            {user.id === viewer.id ? `${displayName(user)} (you)` : displayName(user)}
          </span>
        </DropdownMenu.CheckboxItem>
      ))}
    </Sub>
  )
}

function Due({ boardId, task }: { boardId: number; task: Task }) {
  const update = useUpdateTask(boardId)
  const today = dayAt(new Date())
  const set = (dueDate: string | null) => void update.run({ taskId: task.id, changes: { dueDate } })
  return (
    <Sub label="Due date">
      <Item onSelect={() => set(today)}>Today</Item>
      <Item onSelect={() => set(addDays(today, 1))}>Tomorrow</Item>
      <Item onSelect={() => set(addDays(mondayOf(today), 7))}>Next Monday</Item>
      {task.dueDate && <Item onSelect={() => set(null)}>No due date</Item>}
    </Sub>
  )
}

function TimerItem({ task }: { task: Task }) {
  const { isRunning, isOffered, toggle } = useTimerOf(task)
  return isOffered && <Item onSelect={toggle}>{isRunning ? 'Stop timer' : 'Start timer'}</Item>
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
      <Item disabled={index <= 0} onSelect={() => move(task.status, index - 1)}>
        Move up
      </Item>
      <Item disabled={index === own.length - 1} onSelect={() => move(task.status, index + 1)}>
        Move down
      </Item>
      {STATUSES.filter((status) => status !== task.status).map((status) => (
        <Item key={status} onSelect={() => move(status, inColumn(status).length)}>
          Move to {STATUS_LABELS[status]}
        </Item>
      ))}
    </>
  )
}

function DeleteItem({ board, task, onSelect }: { board: Board; task: Task; onSelect(): void }) {
  const viewer = useViewer()
  if (!mayDeleteTask(viewer, board, task)) return null
  return (
    <Item className={`${ITEM} text-danger`} onSelect={onSelect}>
      Delete
    </Item>
  )
}

async function copyLink(boardId: number, { id }: Task) {
  const link = new URL(`/board/${boardId}#${taskHash(id)}`, location.origin).href
  try {
    await navigator.clipboard.writeText(link)
    toast({ title: 'Copied', description: 'The link to the task is in the clipboard.' })
  } catch {
    toast({ variant: 'destructive', title: 'Not copied', description: link, duration: UNTIL_DISMISSED })
  }
}

const PANEL =
  'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-72 animate-appear overflow-y-auto rounded-card bg-raised p-1 shadow-panel ring-1 ring-line focus:outline-none'
const ITEM =
  'flex min-h-9 cursor-default items-center rounded-[4px] px-2.5 outline-none data-[disabled]:opacity-40 data-[highlighted]:bg-hover data-[state=open]:bg-hover'

const Item = (props: DropdownMenu.DropdownMenuItemProps) => <DropdownMenu.Item className={ITEM} {...props} />
const Line = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />

const Sub = ({ label, children }: { label: string; children: ReactNode }) => (
  <DropdownMenu.Sub>
    <DropdownMenu.SubTrigger className={`${ITEM} justify-between gap-4`}>
      {label}
      <ChevronRight className="size-4 text-quiet" aria-hidden />
    </DropdownMenu.SubTrigger>
    <DropdownMenu.Portal container={document.getElementById(BOARD_ID)}>
      <DropdownMenu.SubContent sideOffset={2} collisionPadding={8} className={PANEL}>
        {children}
      </DropdownMenu.SubContent>
    </DropdownMenu.Portal>
  </DropdownMenu.Sub>
)

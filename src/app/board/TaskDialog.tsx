import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useUsersInTask } from '../../boards/page/Presence'
import { filterSearchOf, parseTaskHash, taskHash } from '../../tasks/page/taskUrl'
import type { BoardTask, Task } from '../../tasks/schema'
import { Avatar } from '../../users/page/Avatar'
import { displayName, type UserSummary } from '../../users/schema'
import { lazyComponent } from '../../web/lazyComponent'
import { changesAdopted } from '../../web/live/pendingChanges'
import { isTemporary, storedId } from '../../web/live/temporaryIds'
import { toast } from '../../web/toast'
import { Dialog } from '../../web/ui/Dialog'
import { nextEntry } from '../../web/ui/layer'
import type { TaskProps } from './TaskContents'

export const TaskContents = lazyComponent(() => import('./TaskContents').then((module) => module.TaskContents))

export function TaskDialog(props: TaskProps) {
  const { board, task, onClose } = props
  const save = useRef(onClose)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && (save.current ?? onClose)()}
      title={task.title}
      above={board.name}
      beside={<HereInTask taskId={task.id} />}
      shape="panels"
      addressed
    >
      <TaskContents {...props} ref={save} fallback={<div className="min-h-96 flex-1" aria-busy />} onLost={onClose} />
    </Dialog>
  )
}

const FACES = 3

/** Rendered even when empty, so that screen readers announce who arrives and nothing moves. */
function HereInTask({ taskId }: { taskId: number }) {
  const people = useUsersInTask(taskId)
  return (
    <div role="status" className="flex h-6 shrink-0 items-center gap-2 text-quiet text-small">
      <span className="flex gap-2" aria-hidden>
        {people.slice(0, FACES).map((user) => (
          <Avatar key={user.id} user={user} here title={displayName(user)} />
        ))}
      </span>
      {people.length > 0 && (
        <span dir="auto" className="max-sm:sr-only">
          {hereText(people)}
        </span>
      )}
    </div>
  )
}

function hereText(people: UserSummary[]): string {
  const [first = '', second = ''] = people.map(displayName)
  if (people.length === 1) return `${first} is here`
  if (people.length === 2) return `${first} and ${second} are here`
  return `${first} and ${people.length - 1} others are here`
}

/** The hash names the open task: it can be linked, and Back closes it. */
export function useOpenTask(boardId: number, tasks: BoardTask[]) {
  const navigate = useNavigate()
  const router = useRouter()
  // While navigating to another board, the hash already belongs to it.
  const hash = useLocation({ select: ({ pathname, hash }) => (pathname === `/board/${boardId}` ? hash : '') })
  const asked = parseTaskHash(hash).taskId
  const openId = storedId(asked)
  const at = { to: '/board/$boardId', params: { boardId }, search: filterSearchOf, resetScroll: false } as const
  const open = (task: Task) => void navigate({ ...at, hash: taskHash(task.id), ...nextEntry(router) })
  const close = () => void navigate({ ...at, hash: '', replace: true, state: true })
  const openTask = tasks.find((task) => task.id === openId)
  // A task created by an earlier page is not there at once.
  const isExpected = !changesAdopted.use() && isTemporary(openId)
  const isMissing = !Number.isNaN(openId) && !openTask && !isExpected
  const seen = useRef<number>(undefined)
  const rename = useEffectEvent(() => void navigate({ ...at, hash: taskHash(openId), replace: true, state: true }))
  useEffect(() => {
    if (openId < asked || openId > asked) rename()
  }, [openId, asked])
  // The dialog itself announces the deletion of an open task.
  const tell = useEffectEvent(() => {
    if (seen.current === openId) return
    toast({ variant: 'destructive', title: 'Error', description: 'Could not load task details.' })
    close()
  })
  useEffect(() => {
    if (openTask) seen.current = openTask.id
    else if (isMissing) tell()
  }, [openTask, isMissing])
  return { openTask, open, close }
}

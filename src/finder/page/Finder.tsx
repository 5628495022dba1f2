import { useLocation, useNavigate } from '@tanstack/react-router'
import Search from 'lucide-react/icons/search'
import * as Radix from 'radix-ui/dialog'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { snapshotQuery } from '../../boards/page/cache'
import { NewBoard } from '../../boards/page/NewBoard'
import { NewTaskDialog } from '../../tasks/page/NewTask'
import { parseTaskHash } from '../../tasks/page/taskUrl'
import { useViewer } from '../../users/page/viewer'
import { COMMAND_KEY } from '../../web/keyboard'
import { lazyComponent } from '../../web/lazyComponent'
import { queryClient } from '../../web/queryClient'
import { noteRecent } from '../../web/recentlyOpened'
import { whenIdle } from '../../web/scheduling'
import { ICON_BUTTON } from '../../web/ui/Button'
import { Overlay } from '../../web/ui/Dialog'
import { FinderInput, type FindingProps, type Opened } from './FinderInput'

/** Opens on a click, or anywhere with Ctrl K or ⌘ K. `onShortcuts` lists the page's keys. */
export function useFinder(onShortcuts: () => void) {
  const [open, setOpen] = useState(false)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    setOpen(!open)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    whenIdle(() => void Finding.load().catch(() => {}))
    return () => window.removeEventListener('keydown', listener)
  }, [])
  return {
    find: () => setOpen(true),
    finder: <FinderDialog open={open} onOpenChange={setOpen} onShortcuts={onShortcuts} />,
  }
}

export const FinderField = ({ onFind }: { onFind(): void }) => (
  <button
    type="button"
    onClick={onFind}
    aria-keyshortcuts="Control+K Meta+K"
    className="flex h-control shrink-0 items-center gap-2 rounded-card bg-surface px-2.5 text-left text-quiet ring-1 ring-line ring-inset hover:text-text hover:ring-edge"
  >
    <Search className="size-4" aria-hidden />
    <span className="flex-1">Search</span>
    <kbd aria-hidden className="font-sans text-small">
      {COMMAND_KEY} K
    </kbd>
  </button>
)

export const FinderButton = ({ onFind }: { onFind(): void }) => (
  <button type="button" aria-label="Search" onClick={onFind} className={ICON_BUTTON}>
    <Search className="size-4.5" aria-hidden />
  </button>
)

const Finding = lazyComponent(() => import('./Finding').then((module) => module.Finding))

type Props = { open: boolean; onOpenChange(open: boolean): void; onShortcuts(): void }

function FinderDialog({ open, onOpenChange, onShortcuts }: Props) {
  const [opened, setOpened] = useState<Opened>()
  const opener = useRef<Element | null>(null)
  const left = useRef(false)
  const next = useRef<Opened>(undefined)
  const navigate = useNavigate()
  const leave = () => {
    left.current = true
    onOpenChange(false)
  }
  const close = () => setOpened(undefined)
  return (
    <>
      <Overlay
        open={open}
        onOpenChange={onOpenChange}
        onOpenAutoFocus={() => {
          opener.current = document.activeElement
          left.current = false
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (!left.current && opener.current instanceof HTMLElement) opener.current.focus()
          // Only now, so that it returns the focus to the same place.
          if (next.current === 'shortcuts') onShortcuts()
          else if (next.current) setOpened(next.current)
          next.current = undefined
        }}
        className="finder animate-rise"
      >
        <Radix.Title className="sr-only">Search</Radix.Title>
        <LoadingFinding
          onLeave={leave}
          onDone={() => onOpenChange(false)}
          onOpen={(opened) => {
            next.current = opened
            onOpenChange(false)
          }}
        />
      </Overlay>
      {opened === 'board' && <NewBoard openAtOnce onClose={close} />}
      {typeof opened === 'object' && (
        <NewTaskDialog
          boardId={opened.newTaskIn.id}
          status="todo"
          onClose={close}
          onCreated={() => {
            void navigate({ to: '/board/$boardId', params: { boardId: opened.newTaskIn.id } })
            return true
          }}
        />
      )}
    </>
  )
}

/** Text typed while the rest loads is kept. */
function LoadingFinding(props: Pick<FindingProps, 'onLeave' | 'onDone' | 'onOpen'>) {
  const [typed, setTyped] = useState('')
  const [isEarly, setEarly] = useState(false)
  const field = { typed, onType: setTyped }
  const early = <FinderInput {...field} onFocus={() => setEarly(true)} />
  return <Finding {...props} {...field} isEarly={isEarly} fallback={early} onLost={props.onLeave} />
}

/** Notes opened boards and tasks, which the finder shows first. */
export function useNoteRecent(): void {
  const { id: userId } = useViewer()
  const { pathname, hash } = useLocation()
  const boardId = Number(/^\/board\/(\d+)$/.exec(pathname)?.[1])
  const taskId = parseTaskHash(hash).taskId
  useEffect(() => {
    if (boardId) void note(userId, boardId, taskId).catch(() => {})
  }, [userId, boardId, taskId])
}

async function note(userId: number, boardId: number, taskId: number) {
  const { data } = await queryClient.ensureQueryData(snapshotQuery(boardId))
  const task = data.tasks.find(({ id }) => id === taskId)
  if (task) noteRecent(userId, { boardId, taskId, title: task.title })
  else if (!taskId) noteRecent(userId, { boardId })
}

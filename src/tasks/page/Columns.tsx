import { useLocation, useNavigate } from '@tanstack/react-router'
import { Suspense, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useViewing } from '../../boards/page/Presence'
import type { Board } from '../../boards/schema'
import { TimerTogglesContext, useTimerToggles } from '../../time/timers/page/timerToggles'
import { lazyComponent } from '../../web/lazy'
import { aliasOf, firstId } from '../../web/live/aliases'
import { toast } from '../../web/toast'
import { useEver } from '../../web/useEver'
import { useKeys } from '../../web/useKeys'
import { type BoardTask, type RunningTimer, STATUSES, type Status, type Task } from '../schema'
import { MoversContext } from './CardEdge'
import { timersByTask } from './CardTimers'
import { Column } from './Column'
import { useMoveTask } from './cache'
import { tagsOf } from './display'
import { EmptyBoard } from './EmptyBoard'
import { FilterBar } from './FilterBar'
import { filterIn } from './filterSearch'
import { MovesContext } from './movesContext'
import { inTaskHash, taskHash } from './taskHash'
import { useCardDrops } from './useCardDrops'
import { useFilter } from './useFilter'
import { BOARD_ID, focusedCard, useKeyboardMove } from './useKeyboardMove'
import { useOthersMoves } from './useOthersMoves'
import { tellAdded, useQuickAdd } from './useQuickAdd'
import { TaskMenuContext, useTaskMenu } from './useTaskMenu'

type Props = { boardId: number; board: Board; tasks: BoardTask[]; timers: RunningTimer[]; locked: boolean }

const NewTaskDialog = lazyComponent(() => import('./NewTaskDialog').then((module) => module.NewTaskDialog))
const Shortcuts = lazyComponent(() => import('./Shortcuts').then((module) => module.Shortcuts))
const TaskDialog = lazyComponent(() => import('./TaskDialog').then((module) => module.TaskDialog))

const NONE: BoardTask[] = []
const NOBODY: Board['members'] = []

export function Columns({ boardId, board, tasks, timers, locked }: Props) {
  const [listing, setListing] = useState(false)
  const [creating, setCreating] = useState<Status | null>(null)
  const hasListed = useEver(listing)
  const hasCreated = useEver(creating !== null)
  const { openTask, open, close } = useOpenTask(boardId, tasks)
  useViewing(boardId, openTask?.id ?? null)
  const move = useMoveTask(boardId)
  // Deferred, for filters over 5,000 tasks take a while and the cards come first.
  const later = useDeferredValue(tasks, NONE)
  const members = useDeferredValue(board.members, NOBODY)
  const tags = useMemo(() => tagsOf(later), [later])
  const { shown, shows, ...filter } = useFilter(boardId, tasks, board.members)
  const search = useRef<HTMLInputElement>(null)
  useCardDrops({ tasks: shown, move: move.run })
  const lifted = useKeyboardMove({ tasks: shown, locked, open, move: move.run })
  const columns = useMemo(() => Map.groupBy(lifted.tasks, ({ status }) => status), [lifted.tasks])
  const running = useMemo(() => timersByTask(timers, board.members), [timers, board.members])
  const section = useRef<HTMLElement>(null)
  const movers = useOthersMoves(section, lifted.tasks, board.members)
  const timing = useTimerToggles(boardId, locked, lifted.focus)
  const timeFocused = () => {
    const task = tasks.find(({ id }) => id === focusedCard())
    if (task) timing.toggle(task)
  }
  const showAll = (task: Task) => {
    filter.clear()
    lifted.focus(aliasOf(task.id))
  }
  const line = useQuickAdd({ board, columns: section, shows, onDetails: setCreating, onShow: showAll })
  const menu = useTaskMenu(board, lifted.tasks, locked)
  useKeys({
    t: timeFocused,
    '?': () => setListing(true),
    '/': () => search.current?.focus(),
    ...(!locked && { c: () => line.open('todo'), 'Shift+c': () => setCreating('todo') }),
  })
  return (
    <>
      {tasks.length > 0 || filter.active ? (
        <FilterBar {...filter} ref={search} members={members} tags={tags} shown={shown.length} all={tasks.length} />
      ) : (
        <EmptyBoard locked={locked} />
      )}
      <section
        {...lifted.handlers}
        onKeyDown={(event) => menu.onKeyDown(event) || lifted.handlers.onKeyDown(event)}
        onContextMenu={menu.onContextMenu}
        ref={section}
        id={BOARD_ID}
        tabIndex={-1}
        aria-label="Columns"
        className="flex min-h-0 flex-1 short:h-full short:flex-none snap-x snap-mandatory gap-3 overflow-x-auto px-4 pb-4 sm:px-6 md:grid md:grid-cols-3 md:overflow-visible"
      >
        <MovesContext value={lifted}>
          <MoversContext value={movers}>
            <TaskMenuContext value={menu.open}>
              <TimerTogglesContext value={timing.given}>
                {STATUSES.map((status) => (
                  <Column
                    key={status}
                    status={status}
                    tasks={columns.get(status) ?? NONE}
                    timers={running}
                    empty={filter.active ? 'No tasks match the filter' : 'No tasks in this column'}
                    lifted={lifted.taskId}
                    request={lifted.request}
                    onFocused={lifted.focused}
                    locked={locked}
                    line={!locked && line.lineOf(status)}
                    onAdd={line.open}
                  />
                ))}
              </TimerTogglesContext>
            </TaskMenuContext>
          </MoversContext>
          <TimerTogglesContext value={timing.given}>{menu.menu}</TimerTogglesContext>
        </MovesContext>
      </section>
      <p role="status" aria-live="assertive" className="sr-only">
        {lifted.spoken}
      </p>
      <Suspense>
        {hasCreated && (
          <NewTaskDialog
            boardId={boardId}
            status={creating}
            onClose={() => setCreating(null)}
            onCreated={(task) => {
              const isShown = shows(task)
              if (isShown) lifted.focus(task.id)
              else tellAdded([task], [task], showAll)
              return isShown
            }}
          />
        )}
      </Suspense>
      {timing.form}
      <Suspense>{hasListed && <Shortcuts open={listing} onClose={() => setListing(false)} />}</Suspense>
      <Suspense>
        {openTask && (
          <TaskDialog
            key={firstId('task', openTask.id)}
            board={board}
            task={openTask}
            locked={locked}
            onClose={close}
            onMove={(status) => lifted.focus(openTask.id, status)}
          />
        )}
      </Suspense>
    </>
  )
}

/** The hash names the task of the open dialog, so that it can be linked and Back closes it. */
function useOpenTask(boardId: number, tasks: BoardTask[]) {
  const navigate = useNavigate()
  // While navigating to another board the hash is already that one's.
  const hash = useLocation({ select: ({ pathname, hash }) => (pathname === `/board/${boardId}` ? hash : '') })
  const asked = inTaskHash(hash).taskId
  const openId = aliasOf(asked)
  const at = { to: '/board/$boardId', params: { boardId }, search: filterIn, resetScroll: false } as const
  const open = (task: Task) => void navigate({ ...at, hash: taskHash(task.id) })
  const close = () => void navigate({ ...at, hash: '', replace: true })
  const openTask = tasks.find((task) => task.id === openId)
  const isMissing = !Number.isNaN(openId) && !openTask
  const seen = useRef<number>(undefined)
  const rename = useEffectEvent(() => void navigate({ ...at, hash: taskHash(openId), replace: true }))
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

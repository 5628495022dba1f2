import { useLocation, useNavigate } from '@tanstack/react-router'
import Clock from 'lucide-react/icons/clock'
import { useEffect, useState } from 'react'
import type { Board } from '../../boards/schema'
import { lazyComponent } from '../../web/lazyComponent'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Dialog } from '../../web/ui/Dialog'

type Props = { board: Board; locked: boolean }

const TimeLogs = lazyComponent(() => import('./TimeLogs').then((module) => module.TimeLogs))

const EVENT = 'open-time-logs'
const HASH = 'time-logs'

/** An icon whose label shows on wider pages. */
export const HEADER_BUTTON =
  'max-lg:size-icon max-lg:bg-transparent max-lg:p-0 max-lg:text-quiet max-lg:ring-0 max-lg:hover:bg-hover max-lg:hover:text-text'

export const openTimeLogs = (taskId: number) => window.dispatchEvent(new CustomEvent(EVENT, { detail: { taskId } }))

export function OpenTimeLogs({ board, locked }: Props) {
  const [isOpened, setOpen] = useState(false)
  const [taskId, setTaskId] = useState<number>()
  const navigate = useNavigate()
  const isAddressed = useLocation({ select: ({ pathname, hash }) => pathname === `/board/${board.id}` && hash === HASH })
  const open = isOpened || isAddressed
  const close = () => {
    setOpen(false)
    setTaskId(undefined)
    if (isAddressed)
      void navigate({ to: '/board/$boardId', params: { boardId: board.id }, hash: '', replace: true, resetScroll: false })
  }
  useEffect(() => {
    const onEvent = (event: CustomEventInit<{ taskId?: number } | null>) => {
      setOpen(true)
      setTaskId(event.detail?.taskId)
      toast({ title: 'Time Logs Opened' })
    }
    window.addEventListener(EVENT, onEvent)
    return () => window.removeEventListener(EVENT, onEvent)
  }, [])
  return (
    <>
      <Button className={HEADER_BUTTON} onClick={() => setOpen(true)}>
        <Clock className="size-4 lg:hidden" aria-hidden />
        <span className="max-lg:sr-only">Time Logs</span>
      </Button>
      {open && (
        <Dialog open onOpenChange={close} title="Time Logs" description={board.name} shape="wide" addressed={isAddressed}>
          <TimeLogs fallback={<LoadingLogs />} onLost={close} board={board} locked={locked} taskId={taskId} onClose={close} />
        </Dialog>
      )}
    </>
  )
}

const LoadingLogs = () => (
  <p role="status" className="py-24 text-center text-quiet">
    Loading time entries...
  </p>
)

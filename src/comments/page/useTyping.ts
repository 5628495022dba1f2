import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useViewer } from '../../auth/page/cache'
import type { UserSummary } from '../../users/schema'
import { isTemporary } from '../../web/live/aliases'
import { send, useLiveMessages } from '../../web/live/socket'

const IDLE_AFTER = 5_000
const EXPIRES_AFTER = 8_000
const SWEPT_EVERY = 2_000

/** Repeated well before the others would consider it over. */
const SAID_EVERY = 4_000

/** Announces that the viewer types: from the first letter until `stop`, a pause, or the end of the component. */
export function useOwnTyping(taskId: number, boardId: number) {
  const own = useRef<{ saidAt: number; idle: ReturnType<typeof setTimeout> } | null>(null)
  const stop = () => {
    if (!own.current) return
    clearTimeout(own.current.idle)
    own.current = null
    if (!isTemporary(taskId)) send({ type: 'typing_stopped', payload: { taskId, boardId } })
  }
  const typed = () => {
    const now = performance.now()
    const { saidAt = -SAID_EVERY, idle } = own.current ?? {}
    clearTimeout(idle)
    const due = now - saidAt >= SAID_EVERY
    own.current = { saidAt: due ? now : saidAt, idle: setTimeout(stop, IDLE_AFTER) }
    if (due && !isTemporary(taskId)) send({ type: 'typing_started', payload: { taskId, boardId, element: 'comment' } })
  }
  const leave = useEffectEvent(stop)
  useEffect(() => () => leave(), [])
  return { typed, stop }
}

type Typist = { user: UserSummary; heardAt: number }

export function useTypists(taskId: number): UserSummary[] {
  const viewer = useViewer()
  const [typists, setTypists] = useState<Typist[]>([])
  const update = (message: { taskId: number; userId: number }, started: Typist[]) => {
    if (message.taskId !== taskId || message.userId === viewer.id) return
    setTypists((before) => [...before.filter(({ user }) => user.id !== message.userId), ...started])
  }
  useLiveMessages({
    typing_started: (message) => update(message, [{ user: message.user, heardAt: performance.now() }]),
    typing_stopped: (message) => update(message, []),
  })
  const someone = typists.length > 0
  useEffect(() => {
    if (!someone) return
    const isThere = ({ heardAt }: Typist) => performance.now() - heardAt < EXPIRES_AFTER
    const timer = setInterval(() => setTypists((before) => before.filter(isThere)), SWEPT_EVERY)
    return () => clearInterval(timer)
  }, [someone])
  return typists.map(({ user }) => user)
}

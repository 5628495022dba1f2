import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Presence } from '../../protocol'
import { useViewer } from '../../users/page/viewer'
import type { UserSummary } from '../../users/schema'
import { send, useIsLost, useLiveMessages } from '../../web/live/socket'
import { isTemporary } from '../../web/live/temporaryIds'

type Other = { user: UserSummary; taskId: number | null }

const NOBODY: Presence[] = []
const OthersContext = createContext<Other[]>([])

type Props = { boardId: number; members: UserSummary[]; children: ReactNode }

export function PresenceProvider({ boardId, members, children }: Props) {
  const viewer = useViewer()
  const [people, setPeople] = useState(NOBODY)
  const lost = useIsLost()
  useLiveMessages({
    presence(heard) {
      if (heard.boardId !== boardId) return
      setPeople((known) => (JSON.stringify(known) === JSON.stringify(heard.people) ? known : heard.people))
    },
  })
  const others = useMemo(() => othersOf(lost ? NOBODY : people, members, viewer.id), [lost, people, members, viewer.id])
  return <OthersContext value={others}>{children}</OthersContext>
}

function othersOf(people: Presence[], members: UserSummary[], viewerId: number): Other[] {
  const known = new Map(members.map((user) => [user.id, user]))
  return people.flatMap(({ userId, taskId }) => {
    const user = userId === viewerId ? undefined : known.get(userId)
    return user ? [{ user, taskId }] : []
  })
}

export function useUsersHere(): ReadonlySet<number> {
  const others = use(OthersContext)
  return useMemo(() => new Set(others.map(({ user }) => user.id)), [others])
}

export const useUsersInTask = (taskId: number): UserSummary[] =>
  use(OthersContext).flatMap((other) => (other.taskId === taskId ? [other.user] : []))

export function useAnnounceViewing(boardId: number, taskId: number | null): void {
  const say = useEffectEvent(() =>
    send({ type: 'viewing', payload: { boardId, taskId: taskId && isTemporary(taskId) ? null : taskId } }),
  )
  useLiveMessages({ joined_board: (joined) => joined.boardId === boardId && say() })
  useEffect(() => say(), [taskId])
}

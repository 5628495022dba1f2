import { durationText, elapsedMs, wholeMinutes } from '../../time/basics'
import { useNow } from '../../time/page/clock'
import { Avatar } from '../../users/page/Avatar'
import { displayName, type UserSummary } from '../../users/schema'
import type { RunningTimer } from '../schema'

export type CardTimer = RunningTimer & { user: UserSummary }

export function timersByTask(timers: RunningTimer[], members: UserSummary[]): ReadonlyMap<number, CardTimer[]> {
  const known = new Map(members.map((user) => [user.id, user]))
  const ofMembers = timers.flatMap((timer) => {
    const user = known.get(timer.userId)
    return user ? [{ ...timer, user }] : []
  })
  return Map.groupBy(ofMembers, ({ taskId }) => taskId)
}

const timerText = ({ user }: CardTimer): string => `${displayName(user)}’s timer is running`

const SHOWN = 3

/** Stands behind the assignees' faces; one of a single assignee needs no other face. */
export function CardTimers({ timers, assignees }: { timers: CardTimer[]; assignees: UserSummary[] }) {
  const [first] = assignees.length === 1 ? assignees : []
  return (
    <>
      {timers.slice(0, SHOWN).map((timer) => (
        <Running key={timer.entryId} timer={timer} withFace={timer.userId !== first?.id} />
      ))}
      {timers.length > SHOWN && <span>+{timers.length - SHOWN}</span>}
    </>
  )
}

/** Minutes are shown: looking every ten seconds is enough, and cheap where many cards are in sight. */
const LOOKS_EVERY = 10_000

function Running({ timer, withFace }: { timer: CardTimer; withFace: boolean }) {
  const now = useNow(true, LOOKS_EVERY)
  return (
    <span className="flex items-center gap-1.5 font-strong text-text" title={timerText(timer)}>
      {withFace && <Avatar user={timer.user} size="xs" />}
      <span className="size-1.5 rounded-full bg-done" aria-hidden />
      <span className="sr-only">{timerText(timer)}</span>
      <span>{durationText(wholeMinutes(elapsedMs(timer, now)))}</span>
    </span>
  )
}

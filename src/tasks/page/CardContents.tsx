import { Clock, Paperclip, SquareCheck } from 'lucide-react'
import { numberText } from '../../basics'
import type { Checklist } from '../../checklist'
import { shortDay } from '../../schema'
import { durationText, elapsedMs, wholeMinutes } from '../../time/basics'
import { Avatar, Avatars } from '../../users/page/Avatar'
import { displayName, type UserSummary } from '../../users/schema'
import { useNow } from '../../web/clock'
import { previewLine } from '../../web/preview'
import type { RunningTimer, Status, Task } from '../schema'
import { commentsText, cutTitle, DAY_WORDS, type Day, dueState, TAGS_SHOWN } from './display'

export const CARD = 'rounded-card bg-surface px-3 pt-3.5 pb-3 shadow-card'
export const STATUS_STRIPS: Record<Status, string> = { todo: 'strip-todo', inprogress: 'strip-inprogress', done: 'strip-done' }
/** Shorter tags need no clipping, which would slow down each frame while scrolling. */
const TAG_FITS = 8

/** The card's accessible name is this text, so that voice control finds a card by what it shows. */
export function CardContents({ task, timers }: { task: Task; timers: CardTimer[] }) {
  const more = task.tags.length - TAGS_SHOWN
  const isCounted = task.commentCount > 0 || task.fileCount > 0 || task.minutes > 0
  const hasFoot = task.assignees.length > 0 || task.dueDate || isCounted || task.checklist || timers.length > 0
  const { shown, rest } = cutTitle(task.title)
  return (
    <>
      <p dir="auto" className="break-words pr-13 font-strong" title={rest ? task.title : undefined}>
        {rest ? (
          <>
            <span>{shown}</span>
            <span className="sr-only">{rest}</span>
            <span aria-hidden>…</span>
          </>
        ) : (
          shown
        )}
      </p>
      {task.description && (
        <p dir="auto" className="mt-0.5 line-clamp-2 break-words text-quiet text-small">
          {previewLine(task.description)}
        </p>
      )}
      {task.tags.length > 0 && (
        <p className="mt-2 flex flex-wrap gap-1 text-quiet text-small">
          {task.tags.slice(0, TAGS_SHOWN).map((tag) => (
            <span key={tag} className={`rounded-[4px] bg-column px-1.5 ${tag.length > TAG_FITS ? 'max-w-32 truncate' : ''}`}>
              {tag}
            </span>
          ))}
          {more > 0 && <span className="rounded-[4px] bg-column px-1.5">+{more}</span>}
        </p>
      )}
      {hasFoot && (
        <div className="tabular mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 whitespace-nowrap text-quiet text-small">
          <Avatars users={task.assignees} />
          <CardTimers timers={timers} assignees={task.assignees} />
          {task.dueDate && <DueDay due={task.dueDate} done={task.status === 'done'} />}
          {task.checklist && <Ticked {...task.checklist} />}
          {task.commentCount > 0 && <span>{commentsText(task.commentCount)}</span>}
          {task.fileCount > 0 && (
            <span className="flex items-center gap-1">
              <Paperclip className="size-3.5" aria-hidden />
              <span>{numberText(task.fileCount)}</span>
              <span className="sr-only">{task.fileCount === 1 ? 'file' : 'files'}</span>
            </span>
          )}
          {task.minutes > 0 && (
            <span className="flex items-center gap-1">
              <Clock className="size-3.5" aria-hidden />
              <span>{durationText(task.minutes)}</span>
              <span className="sr-only">logged</span>
            </span>
          )}
        </div>
      )}
    </>
  )
}

const DAY_LOOK: Record<Day, string> = { past: 'font-strong text-accent', today: 'font-strong text-text', ahead: '' }

const DueDay = ({ due, done }: { due: string; done: boolean }) => (
  <time dateTime={due} className={DAY_LOOK[dueState(due, done)]}>
    <span className="sr-only">{DAY_WORDS[dueState(due, done)]}: </span>
    <span>{shortDay(due)}</span>
  </time>
)

const Ticked = ({ done, all }: Checklist) => (
  <span className="flex items-center gap-1">
    <SquareCheck className="size-3.5" aria-hidden />
    <span>
      {done}/{all}
    </span>
    <span className="sr-only">done</span>
  </span>
)

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

const TIMERS_SHOWN = 3

/** A single assignee's own timer shows no second face. */
function CardTimers({ timers, assignees }: { timers: CardTimer[]; assignees: UserSummary[] }) {
  const [first] = assignees.length === 1 ? assignees : []
  return (
    <>
      {timers.slice(0, TIMERS_SHOWN).map((timer) => (
        <RunningTimerLine key={timer.entryId} timer={timer} withFace={timer.userId !== first?.id} />
      ))}
      {timers.length > TIMERS_SHOWN && <span>+{timers.length - TIMERS_SHOWN}</span>}
    </>
  )
}

/** Timers show minutes, so ten seconds are often enough, and cheap with many cards in sight. */
const LOOKS_EVERY = 10_000

function RunningTimerLine({ timer, withFace }: { timer: CardTimer; withFace: boolean }) {
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

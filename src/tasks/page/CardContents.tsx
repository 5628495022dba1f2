import type { LucideIcon } from 'lucide-react'
import Clock from 'lucide-react/icons/clock'
import MessageSquare from 'lucide-react/icons/message-square'
import Paperclip from 'lucide-react/icons/paperclip'
import SquareCheck from 'lucide-react/icons/square-check'
import type { ReactNode } from 'react'
import { shortDay } from '../../days'
import { durationText, numberText } from '../../format'
import { elapsedMs, wholeMinutes } from '../../time/limits'
import { Avatar, Avatars } from '../../users/page/Avatar'
import { displayName, type UserSummary } from '../../users/schema'
import { useDay, useNow } from '../../web/clock'
import { previewLine } from '../../web/plainText'
import type { TaskCount, TaskField } from '../limits'
import type { RunningTimer, Status, Task } from '../schema'
import { cutTitle, DAY_WORDS, type Day, dayState, TAGS_SHOWN } from './display'

export const CARD = 'rounded-card bg-surface px-3 pt-3.5 pb-3 shadow-card'
export const STATUS_STRIPS: Record<Status, string> = { todo: 'strip-todo', inprogress: 'strip-inprogress', done: 'strip-done' }
/** Shorter tags need no clipping, which would slow down every frame of scrolling. */
const TAG_FITS = 8

/** The card's accessible name is this text, so that voice control finds a card by its visible text. */
export function CardContents({ task, timers, titleLook = '' }: { task: Task; timers: CardTimer[]; titleLook?: string }) {
  const more = task.tags.length - TAGS_SHOWN
  const parts = footParts(task)
  const counts = parts.filter(({ Content }) => Content !== DueDay)
  const { shown, rest } = cutTitle(task.title)
  return (
    <>
      <p
        dir="auto"
        className={`break-words font-strong pointer-coarse:pr-9 any-pointer-coarse:not-pointer-coarse:pr-13 ${titleLook}`}
        title={rest ? task.title : undefined}
      >
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
        <p dir="auto" className="mt-0.5 line-clamp-2 text-pretty break-words text-quiet text-small">
          {previewLine(task.description)}
        </p>
      )}
      {task.tags.length > 0 && (
        <p className="mt-2 flex flex-wrap gap-1 text-quiet text-small">
          {task.tags.slice(0, TAGS_SHOWN).map((tag) => (
            <span key={tag} className={`rounded-chip bg-chip px-1.5 ${tag.length > TAG_FITS ? 'max-w-32 truncate' : ''}`}>
              {tag}
            </span>
          ))}
          {more > 0 && <span className="rounded-chip bg-chip px-1.5">+{more}</span>}
        </p>
      )}
      {(parts.length > 0 || task.assignees.length > 0 || timers.length > 0) && (
        <div className="tabular mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 min-[46rem]:max-xl:gap-x-1.5 whitespace-nowrap text-quiet text-small">
          <Avatars users={task.assignees} />
          {task.dueDate && <DueDay task={task} />}
          {counts.length > 0 && (
            <span className="flex gap-x-3 min-[46rem]:max-xl:gap-x-1.5">
              {counts.map(({ name, Content }) => (
                <Content key={name} task={task} />
              ))}
            </span>
          )}
          <CardTimers timers={timers} assignees={task.assignees} />
        </div>
      )}
    </>
  )
}

const DAY_LOOK: Record<Day, string> = {
  past: 'font-strong text-accent forced-colors:underline',
  today: 'font-strong text-text',
  ahead: '',
}

const DueDay = ({ task: { dueDate, status } }: { task: Task }) => {
  const today = useDay()
  const state = status === 'done' ? 'ahead' : dayState(dueDate ?? '', today)
  return (
    <time dateTime={dueDate ?? ''} className={DAY_LOOK[state]}>
      <span className="sr-only">{DAY_WORDS[state]}: </span>
      <span>{shortDay(dueDate ?? '')}</span>
    </time>
  )
}

const Count = ({ icon: Icon, text, what }: { icon: LucideIcon; text: string; what: string }) => (
  <span className="flex items-center gap-1 min-[46rem]:max-xl:gap-0.75" title={`${text} ${what}`}>
    <Icon className="size-3.5" aria-hidden />
    <span>{text}</span>
    <span className="sr-only">{what}</span>
  </span>
)

type Part = {
  /** Estimated pixels, for cards not drawn yet. */
  width: number
  isShown(task: Task): boolean
  Content(props: { task: Task }): ReactNode
}

/** The foot of a card, in this order; null for fields shown elsewhere on the card, or not at all. */
const FOOT: Record<TaskField | 'checklist' | TaskCount, Part | null> = {
  title: null,
  description: null,
  status: null,
  tags: null,
  dueDate: { width: 42, isShown: ({ dueDate }) => dueDate !== null, Content: DueDay },
  checklist: {
    width: 42,
    isShown: ({ checklist }) => checklist !== undefined,
    Content: ({ task: { checklist } }) => <Count icon={SquareCheck} text={`${checklist?.done}/${checklist?.all}`} what="done" />,
  },
  commentCount: {
    width: 30,
    isShown: ({ commentCount }) => commentCount > 0,
    Content: ({ task: { commentCount } }) => (
      <Count icon={MessageSquare} text={numberText(commentCount)} what={commentCount === 1 ? 'comment' : 'comments'} />
    ),
  },
  fileCount: {
    width: 30,
    isShown: ({ fileCount }) => fileCount > 0,
    Content: ({ task: { fileCount } }) => (
      <Count icon={Paperclip} text={numberText(fileCount)} what={fileCount === 1 ? 'file' : 'files'} />
    ),
  },
  minutes: {
    width: 56,
    isShown: ({ minutes }) => minutes > 0,
    Content: ({ task: { minutes } }) => <Count icon={Clock} text={durationText(minutes)} what="logged" />,
  },
}
const FOOT_PARTS = Object.entries(FOOT).flatMap(([name, part]) => (part ? { name, ...part } : []))

export const footParts = (task: Task) => FOOT_PARTS.filter(({ isShown }) => isShown(task))

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

/** A single assignee's own timer does not show their face twice. */
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

/** Timers show minutes, so every ten seconds is enough, and cheap with many cards in sight. */
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

import { Clock, Paperclip, SquareCheck } from 'lucide-react'
import type { Checklist } from '../../checklist'
import { shortDay } from '../../schema'
import { durationText } from '../../time/entries/schema'
import { Avatars } from '../../users/page/Avatar'
import { previewLine } from '../../web/preview'
import type { Status, Task } from '../schema'
import { type CardTimer, CardTimers } from './CardTimers'
import { commentsText, type Day, dueState, TAGS_SHOWN } from './display'

export const CARD = 'rounded-card bg-surface px-3 pt-3.5 pb-3 shadow-card'
export const STRIPS: Record<Status, string> = { todo: 'strip-todo', inprogress: 'strip-inprogress', done: 'strip-done' }
/** Shorter tags need no clipping, which would slow down each frame while scrolling. */
const TAG_FITS = 8
/** Two lines of the narrowest card hold so many letters; clipping slows down frames here, too. */
const TITLE_FITS = 28

export function CardContents({ task, timers }: { task: Task; timers: CardTimer[] }) {
  const more = task.tags.length - TAGS_SHOWN
  const isCounted = task.commentCount > 0 || task.fileCount > 0 || task.minutes > 0
  const hasFoot = task.assignees.length > 0 || task.dueDate || isCounted || task.checklist || timers.length > 0
  const isLong = task.title.length > TITLE_FITS
  return (
    <>
      <p
        dir="auto"
        className={`break-words font-strong pointer-coarse:pr-13 ${isLong ? 'line-clamp-2' : ''}`}
        title={isLong ? task.title : undefined}
      >
        {task.title}
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
              {task.fileCount}
            </span>
          )}
          {task.minutes > 0 && (
            <span className="flex items-center gap-1">
              <Clock className="size-3.5" aria-hidden />
              {durationText(task.minutes)}
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
    {shortDay(due)}
  </time>
)

const Ticked = ({ done, all }: Checklist) => (
  <span className="flex items-center gap-1">
    <SquareCheck className="size-3.5" aria-hidden />
    {done}/{all}
  </span>
)

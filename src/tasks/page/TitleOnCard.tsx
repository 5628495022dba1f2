import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { submitWithUndo } from '../../web/live/undoableChanges'
import { toast, withCopy } from '../../web/toast'
import { Field, FOCUSED_AT_END, QuietTextArea } from '../../web/ui/Field'
import { EditConflict } from '../../web/ui/InlineEdit'
import { useDraft } from '../../web/useDraft'
import { TASK_TITLE_MAX, TITLE_MISSING } from '../limits'
import type { Task } from '../schema'
import { update } from './cache'
import { useLeaveWhenDeleted } from './useKeyboardMove'

type Props = { boardId: number; task: Task; onClose(): void; onFocus(taskId: number): void }

/** Overlays the card's title and follows it. Enter or blur saves, Escape cancels; a refused text waits in the task. */
export function TitleOnCard({ boardId, task, onClose, onFocus }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useOverCard(place, task.id)
  const draft = useDraft(`task-${task.id}`, { title: task.title })
  const isOver = useRef(false)
  const title = draft.values.title
  const text = title.trim()
  const isOvertaken = draft.isOvertaken('title')
  const error =
    text === '' ? TITLE_MISSING : text.length > TASK_TITLE_MAX ? `Must be at most ${TASK_TITLE_MAX} characters` : undefined

  const cannotSave = error !== undefined || isOvertaken

  const end = () => {
    isOver.current = true
    onClose()
  }
  const save = () => {
    if (text === task.title) draft.takeTheirs('title')
    else {
      const base = { revision: task.revision, title: task.title }
      // Discarded before it is sent: later typing is a new draft.
      draft.takeTheirs('title')
      void submitWithUndo(boardId, update, { taskId: task.id, changes: { title: text }, base }).then(
        (outcome) => outcome || draft.putBack({ title: text }),
      )
    }
    end()
  }
  useLeaveWhenDeleted(task, () => {
    if (text !== task.title) toast({ title: 'Task Deleted', ...withCopy(text) })
    draft.takeTheirs('title')
    end()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return
    event.preventDefault()
    if (event.key === 'Enter' && cannotSave) return
    if (event.key === 'Enter') save()
    else {
      draft.takeTheirs('title')
      end()
    }
    onFocus(task.id)
  }
  return (
    <div
      ref={place}
      role="dialog"
      // Safari does not focus buttons: pressing one would look like leaving the field.
      tabIndex={-1}
      aria-label={`Title of ${task.title}`}
      className="fixed z-30 outline-none [&>div>p]:px-1.5"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isOver.current || currentTarget.contains(relatedTarget)) return
        if (text === '') draft.takeTheirs('title')
        if (cannotSave) end()
        else save()
      }}
    >
      <Field
        label="Title"
        unlabelled
        error={error}
        question={
          isOvertaken && (
            <EditConflict
              theirs={task.title}
              by={undefined}
              onTake={() => draft.takeTheirs('title')}
              onKeep={() => draft.keepMine('title')}
            />
          )
        }
      >
        {(tied) => (
          <QuietTextArea
            {...tied}
            {...FOCUSED_AT_END}
            rows={1}
            className="mx-0! w-full! bg-surface! px-1.5! py-0.75! font-strong"
            value={title}
            onChange={({ target }) => draft.type({ title: target.value.replace(/\s*\n\s*/g, ' ') })}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
    </div>
  )
}

function useOverCard(place: { current: HTMLElement | null }, taskId: number): void {
  useLayoutEffect(() => follow(place.current, taskId))
  useEffect(() => {
    const onMove = () => follow(place.current, taskId)
    // The card grows with it, by a line or an error.
    const observer = new ResizeObserver(onMove)
    if (place.current) observer.observe(place.current)
    document.addEventListener('scroll', onMove, { capture: true, passive: true })
    window.addEventListener('resize', onMove)
    return () => {
      observer.disconnect()
      titleOf(taskId)?.style.removeProperty('min-height')
      document.removeEventListener('scroll', onMove, { capture: true })
      window.removeEventListener('resize', onMove)
    }
  }, [place, taskId])
}

function follow(element: HTMLElement | null, taskId: number): void {
  const title = titleOf(taskId)
  if (!element || !title) return
  const { left, top, width } = title.getBoundingClientRect()
  Object.assign(element.style, { left: `${left - BESIDE}px`, top: `${top - ABOVE}px`, width: `${width + 2 * BESIDE}px` })
  title.style.minHeight = `${element.offsetHeight - 2 * ABOVE + BELOW}px`
}

const titleOf = (taskId: number) => document.querySelector<HTMLElement>(`[data-task="${taskId}"] > p`)

/** The field's padding, so that the text does not move, and the room that the card makes below for the field's ring. */
const BESIDE = 6
const ABOVE = 3
const BELOW = 4

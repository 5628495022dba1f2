import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { Field, FOCUSED_AT_END, QuietTextArea } from '../../web/ui/Field'
import { EditConflict } from '../../web/ui/InlineEdit'
import { useDraft } from '../../web/useDraft'
import { TASK_TITLE_MAX, TITLE_MISSING } from '../limits'
import type { Task } from '../schema'
import { useUpdateTask } from './cache'

type Props = { boardId: number; task: Task; onClose(): void; onFocus(taskId: number): void }

/** Lies over the card's own title, wherever that goes. Enter or leaving the field saves, Escape cancels; what is refused waits in the task. */
export function TitleOnCard({ boardId, task, onClose, onFocus }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useOverCard(place, task.id)
  const draft = useDraft(`task-${task.id}`, { title: task.title })
  const update = useUpdateTask(boardId)
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
      // Given up before it is sent: what is typed meanwhile is another draft.
      draft.takeTheirs('title')
      void update
        .run({ taskId: task.id, changes: { title: text }, base })
        .then((outcome) => outcome || draft.type({ title: text }))
    }
    end()
  }
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
      // Safari gives no button the focus: pressed, it would seem left.
      tabIndex={-1}
      aria-label={`Title of ${task.title}`}
      className="fixed z-30 outline-none"
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
            className="bg-surface! font-strong"
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
    document.addEventListener('scroll', onMove, { capture: true, passive: true })
    window.addEventListener('resize', onMove)
    return () => {
      document.removeEventListener('scroll', onMove, { capture: true })
      window.removeEventListener('resize', onMove)
    }
  }, [place, taskId])
}

function follow(element: HTMLElement | null, taskId: number): void {
  const title = document.querySelector(`[data-task="${taskId}"] > p`)
  if (!element || !title) return
  const { left, top, width } = title.getBoundingClientRect()
  Object.assign(element.style, { left: `${left}px`, top: `${top - PADDING}px`, width: `${width}px` })
}

/** Of the field, so that the text does not move. */
const PADDING = 6

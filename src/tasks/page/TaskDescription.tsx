import Pencil from 'lucide-react/icons/pencil'
import { type MouseEvent, type Ref, useCallback, useImperativeHandle, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Checkbox, type Checklist, withCheckbox } from '../../checklist'
import { addCheckbox, continueList } from '../../web/checklistEditing'
import { type Call, client } from '../../web/client'
import type { Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changeQueue'
import { liveQuery } from '../../web/live/liveQuery'
import { useLive } from '../../web/live/predictions'
import { applyChange, type Change, type Reducers } from '../../web/live/reducers'
import { boxGone, notUndone, settledRevision, tickOnRevision, tickText } from '../../web/live/revisions'
import { submitWithUndo } from '../../web/live/undoableChanges'
import { SmallIconButton } from '../../web/ui/Button'
import { FOCUSED_AT_END, QuietTextArea } from '../../web/ui/Field'
import { Markdown } from '../../web/ui/Markdown'
import { DESCRIPTION_PREVIEW } from '../limits'
import type { BoardTask, Snapshot, Task, TaskMessage } from '../schema'
import { predictUpdate, taskChange } from './cache'

/** A task's description after a change to its board. A cut one changes nothing. */
export const applyToDescription = (taskId: number, text: string, change: Change): string =>
  applyChange(descriptionReducers(taskId), text, change)

function descriptionReducers(taskId: number): Reducers<string, TaskMessage> {
  const update = (text: string, { task }: { task: BoardTask }) =>
    task.id === taskId && !('cut' in task) ? (task.description ?? '') : text
  return { new_task: update, task_updated: update }
}

/** `text` is undefined until all of it is read. Long ones are kept, because the next snapshot cuts them. */
export function useDescription(boardId: number, task: BoardTask) {
  const { id: taskId, cut, description } = task
  const apply = useCallback((text: string, change: Change) => applyToDescription(taskId, text, change), [taskId])
  const read = async (signal: AbortSignal) => (await client.tasks.get.query({ taskId }, { signal })).description ?? ''
  const {
    data: whole,
    error,
    isError,
    isFetching,
    refetch,
  } = useLive(
    {
      ...liveQuery({ key: [boardId, 'description', taskId], read, apply }),
      enabled: cut || (description?.length ?? 0) > DESCRIPTION_PREVIEW,
      initialData: cut ? undefined : { data: description ?? '', versions: {} },
    },
    apply,
  )
  return {
    text: cut ? whole : (description ?? ''),
    /** Whether `text` is current, so that nothing is saved over an unseen change. */
    isKnown: !cut || (whole !== undefined && !isFetching && !isError),
    error,
    isError: cut && isError,
    isFetching,
    retry: () => void refetch(),
  }
}

type Props = {
  /** Gets the function that adds a box to tick. */
  ref: Ref<() => void>
  tied: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }
  stored: string | undefined
  loading: boolean
  typed: string | undefined
  readOnly: boolean
  onType(text: string): void
  onTick(box: Checkbox): void
}

export function DescriptionField({ ref, tied, stored, loading, typed, readOnly, onType, onTick }: Props) {
  const [writing, setWriting] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => () => {
    const isNew = document.activeElement !== area.current
    flushSync(() => setWriting(true))
    addCheckbox(area.current, isNew)
  })
  if (stored === undefined && typed === undefined) return loading ? <DescriptionLoading /> : null
  if (stored && typed === undefined && !writing)
    return (
      <ReadDescription
        text={stored}
        onEdit={readOnly ? undefined : () => setWriting(true)}
        onTick={readOnly ? undefined : onTick}
      />
    )
  return (
    <QuietTextArea
      {...tied}
      ref={area}
      onKeyDown={continueList}
      className="max-h-[40vh] min-h-24 pointer-fine:pr-8"
      readOnly={readOnly}
      {...(writing && FOCUSED_AT_END)}
      placeholder={readOnly ? 'No description' : 'Add a description. Markdown works.'}
      value={typed ?? stored ?? ''}
      onChange={(event) => onType(event.target.value)}
      onBlur={() => setWriting(false)}
    />
  )
}

const DescriptionLoading = () => (
  <div role="status" aria-label="Loading the description" className="flex animate-pulse flex-col gap-2.5 py-2.5">
    {['w-11/12', 'w-full', 'w-3/5'].map((width) => (
      <span key={width} className={`h-3 rounded-card bg-edge/30 ${width}`} />
    ))}
  </div>
)

type ReadProps = { text: string; onEdit: (() => void) | undefined; onTick: ((box: Checkbox) => void) | undefined }

function ReadDescription({ text, onEdit, onTick }: ReadProps) {
  /** Following a link, ticking or selecting text does not edit. */
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a, input')) return
    if (getSelection()?.isCollapsed !== false) onEdit?.()
  }
  return (
    <div className="item relative -mx-2">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the pencil does this for the keyboard */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        onClick={onClick}
        className={`rounded-card px-2 py-1.5 ${onEdit ? 'pointer-fine:pr-8 cursor-text ring-inset hover:ring-1 hover:ring-edge' : ''}`}
      >
        <Markdown text={text} onTick={onTick} />
      </div>
      {onEdit && (
        <SmallIconButton
          icon={Pencil}
          label="Edit the description"
          onClick={onEdit}
          className="absolute top-1 right-1 rounded-card bg-raised opacity-0 transition-opacity pointed:opacity-100"
        />
      )}
    </div>
  )
}

type Ticking = { taskId: number; box: Checkbox; base: { revision: number; text: string } }

function predictTick({ taskId, box, base }: Ticking, made: Made, board: Snapshot | undefined) {
  const task = board?.tasks.find(({ id }) => id === taskId)
  const before = (task?.cut ? base.text : task?.description) ?? ''
  const description = withCheckbox(before, box)
  if (description === undefined) return []
  const checklist = description === before ? task?.checklist : withTick(task?.checklist, box)
  return predictUpdate({ taskId, changes: { description }, checklist }, made, board)
}

const withTick = (known: Checklist | undefined, { done }: Checkbox) => known && { ...known, done: known.done + (done ? 1 : -1) }

const tickChange = {
  send: ({ taskId, box, base }: Ticking, call: Call) =>
    tickOnRevision(
      {
        box,
        base,
        textOf: (task: Task) => task.description ?? '',
        send: (description) => client.tasks.update.mutate({ taskId, description }, call),
      },
      call,
    ),
  predict: predictTick,
  textOf: ({ box }: Ticking) => box.words,
}

const tickBack = taskChange({ ...tickChange, name: 'tasks.tickBack', texts: { failure: notUndone } })

const tick = taskChange({
  ...tickChange,
  name: 'tasks.tick',
  undo:
    ({ taskId, box }, _board, boardId) =>
    (ticked: Task | null) =>
      ticked && {
        title: tickText(box),
        description: box.words,
        run: () =>
          submit(boardId, tickBack, {
            taskId,
            box: { ...box, done: !box.done },
            base: { revision: ticked.revision, text: ticked.description ?? '' },
          }),
      },
  texts: { failure: boxGone({ title: 'Update Failed', description: 'Could not update task. Please try again.' }) },
})

type ShownText = { text: string | undefined; isKnown: boolean }

export function tickInDescription(boardId: number, task: Task, { text = '', isKnown }: ShownText, box: Checkbox): void {
  const base = { revision: isKnown ? settledRevision(task) : 0, text }
  void submitWithUndo(boardId, tick, { taskId: task.id, box, base })
}

import ListPlus from 'lucide-react/icons/list-plus'
import X from 'lucide-react/icons/x'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { z } from 'zod'
import type { Board } from '../../boards/schema'
import { dayAt } from '../../days'
import { MentionArea } from '../../users/page/MentionArea'
import { useViewer } from '../../users/page/viewer'
import type { UserSummary } from '../../users/schema'
import { useFirstWeekday } from '../../web/settings'
import { Button, IconButton } from '../../web/ui/Button'
import { Field, FOCUSED_AT_END } from '../../web/ui/Field'
import { isOnTop } from '../../web/ui/layer'
import { typedIn, useDraft } from '../../web/useDraft'
import { faultsIn } from '../../web/useForm'
import type { NewTask, Status, Task } from '../schema'
import { toastHiddenTasks, toastTitleMissing, useAddTask, useNewTaskDraft, useNewTaskSchema } from './NewTask'
import { type Chip, parseQuickAdd, type QuickAdded, splitLines } from './parseQuickAdd'

type LineProps = {
  board: Board
  columns: RefObject<HTMLElement | null>
  shows(task: Task): boolean
  onDetails(status: Status): void
  onShow(task: Task): void
}

export function useQuickAdd({ board, columns, shows, onDetails, onShow }: LineProps) {
  const [column, setColumn] = useState<Status | null>(null)
  const opener = useRef<Element | null>(null)
  const open = useCallback((status: Status) => {
    opener.current = document.activeElement
    setColumn(status)
  }, [])
  const isOpen = column !== null
  // Toasts appear above it.
  useEffect(() => {
    document.body.toggleAttribute('data-line', isOpen)
    return () => document.body.removeAttribute('data-line')
  }, [isOpen])
  const close = () => {
    flushSync(() => setColumn(null))
    const from = opener.current
    const back = from instanceof HTMLElement && from !== document.body && from.isConnected ? from : null
    ;(back ?? columns.current?.querySelector<HTMLElement>(`[data-add="${column}"]`))?.focus()
  }
  const lineOf = (status: Status): ReactNode =>
    status === column && (
      <QuickAdd
        boardId={board.id}
        status={status}
        members={board.members}
        onClose={close}
        onLeave={() => setColumn(null)}
        onDetails={() => onDetails(status)}
        shows={shows}
        onShow={onShow}
      />
    )
  return { open, lineOf }
}

type Props = {
  boardId: number
  status: Status
  members: UserSummary[]
  onClose(): void
  /** Called when it loses the focus with nothing typed. */
  onLeave(): void
  /** Opens the full dialog with the typed text. */
  onDetails(): void
  shows(task: Task): boolean
  onShow(task: Task): void
}

/** `plain` lists the words that stay text, one a line. */
const EMPTY_LINE = { text: '', plain: '' }

/** More would exceed the limit on changes per minute. */
const LINES_MAX = 100

/** Each line is a task. Enter adds them; what could not be added stays. */
function QuickAdd({ boardId, status, members, onClose, onLeave, onDetails, shows, onShow }: Props) {
  const viewer = useViewer()
  const area = useRef<HTMLTextAreaElement>(null)
  const addition = useAddTask(boardId)
  const name = `line-${status}-${boardId}`
  const draft = useDraft(name, EMPTY_LINE)
  const schema = useNewTaskSchema()
  const details = useNewTaskDraft(boardId)
  const [refused, setRefused] = useState('')
  const [isWaiting, setWaiting] = useState(false)
  const { text } = draft.values
  const plain = draft.values.plain.split('\n').filter(Boolean)
  const reading = { members, viewer, today: dayAt(new Date()), first: useFirstWeekday(), plain }
  const lines = splitLines(text).map(({ line, at }) => ({ line, ...parseQuickAdd(line, reading, at) }))
  const chips = lines.flatMap((line) => line.chips)
  const error = schema && errorIn(lines, status, schema)

  const type = (next: string) => {
    setRefused('')
    draft.type(next === '' ? EMPTY_LINE : { text: next })
  }
  const takeBack = ({ text: taken }: Chip) => {
    draft.type({ plain: [...plain, taken].join('\n') })
    area.current?.focus()
  }

  async function add() {
    if (lines.length === 0) return toastTitleMissing()
    if (!schema) return setWaiting(true)
    if (error) return
    draft.discard()
    setRefused('')
    const isOneOfSeveral = lines.length > 1
    const added = await Promise.all(lines.map((line) => addition.run(givenOf(line, status), line.assignees, isOneOfSeveral)))
    const tasks = added.filter((task) => task !== undefined)
    const left = lines.filter((_, nth) => !added[nth]).map(({ line }) => line)
    const hidden = tasks.filter((task) => !shows(task))
    toastHiddenTasks(tasks, hidden, onShow)
    if (left.length === 0) return
    draft.type({ text: [...left, typedIn(name, 'text')].filter(Boolean).join('\n'), plain: plain.join('\n') })
    if (isOneOfSeveral) setRefused(`${tasks.length} of ${lines.length} added. The rest are still here.`)
  }

  const addNow = useEffectEvent(add)
  useEffect(() => {
    if (!isWaiting || !schema) return
    setWaiting(false)
    void addNow()
  }, [isWaiting, schema])

  function expand() {
    const [first, ...others] = lines
    const { values } = details
    const title = [values.title, first?.title].filter(Boolean).join(' ')
    const more = [values.description, ...others.map(({ line }) => line)].filter(Boolean).join('\n')
    const withMore = (list: string, more: string[]) => [...new Set([...list.split('\n'), ...more])].filter(Boolean).join('\n')
    if (first)
      details.type({
        title,
        description: more,
        tags: withMore(values.tags, first.tags),
        dueDate: first.due ?? values.dueDate,
        assigneeIds: withMore(
          values.assigneeIds,
          first.assignees.map(({ id }) => String(id)),
        ),
      })
    draft.discard()
    onDetails()
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    const { selectionStart, selectionEnd } = event.currentTarget
    const behind = chips.find(({ to }) => to === selectionStart && to === selectionEnd)
    if (event.key === 'Enter' && !event.shiftKey) void add()
    else if (event.key === 'Backspace' && behind) takeBack(behind)
    else if (event.key === 'Escape') behind ? takeBack(behind) : onClose()
    else return
    event.preventDefault()
  }

  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLFormElement>) => {
    if (text !== '' || !(relatedTarget instanceof Node) || currentTarget.contains(relatedTarget)) return
    // Toasts appear above the line: they would move while being pressed.
    if (!isCoveredBy(relatedTarget) && !isOnTop(relatedTarget)) onLeave()
  }
  return (
    <form
      aria-label="New task"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        area.current?.focus()
        void add()
      }}
      onBlur={leave}
      className="fade-above m-2 mt-1 flex flex-col gap-2"
    >
      <Field label="Task Title" unlabelled error={error}>
        {(tied) => (
          <MentionArea
            {...tied}
            area={area}
            className="min-h-10! py-2.5"
            {...FOCUSED_AT_END}
            rows={1}
            does="assign"
            enterKeyHint="done"
            placeholder="Task  @who  #tag  fri"
            members={members}
            value={text}
            onValue={type}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <UnderstoodParts chips={chips} onTakeBack={takeBack} />
      <div className="flex flex-wrap items-center justify-end gap-1">
        <p role="status" className="min-w-0 flex-1 text-quiet text-small">
          {refused || (lines.length > 1 && `Enter adds ${lines.length} tasks`)}
        </p>
        <IconButton icon={ListPlus} label="Create New Task" onClick={expand} />
        <Button look="quiet" size="small" className="px-2!" aria-label="Close new task" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" look="primary" size="small">
          Create Task
        </Button>
      </div>
    </form>
  )
}

const givenOf = ({ title, tags, due, assignees }: QuickAdded, status: Status) => ({
  title,
  tags,
  status,
  dueDate: due,
  assigneeIds: assignees.map(({ id }) => id),
})

function errorIn(lines: QuickAdded[], status: Status, schema: z.ZodType<NewTask>): string | undefined {
  if (lines.length > LINES_MAX) return `At most ${LINES_MAX} tasks at once (you have ${lines.length})`
  for (const line of lines) {
    const given = givenOf(line, status)
    const [fault] = Object.values(faultsIn(schema.safeParse(given).error?.issues ?? [], given))
    if (fault) return fault.message
  }
  return undefined
}

const isCoveredBy = (target: Node) => target instanceof Element && target.closest('[role="dialog"]') !== null

function UnderstoodParts({ chips, onTakeBack }: { chips: Chip[]; onTakeBack(chip: Chip): void }) {
  const once = [...new Map(chips.map((chip) => [chip.text, chip])).values()]
  if (once.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-1" aria-label="Recognized">
      {once.map((chip) => (
        <li key={chip.text} className="min-w-0">
          <button
            type="button"
            aria-label={`${chip.label}: keep as plain text`}
            onClick={() => onTakeBack(chip)}
            className="flex h-6 max-w-full items-center gap-1 rounded-chip bg-surface px-1.5 text-small hover:bg-hover forced-colors:outline"
          >
            <span dir="auto" className="min-w-0 truncate">
              {chip.label}
            </span>
            <X className="size-3 shrink-0 text-quiet" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}

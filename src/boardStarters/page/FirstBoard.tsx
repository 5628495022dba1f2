import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import Check from 'lucide-react/icons/check'
import Circle from 'lucide-react/icons/circle'
import LayoutList from 'lucide-react/icons/layout-list'
import Sparkles from 'lucide-react/icons/sparkles'
import SquareDashed from 'lucide-react/icons/square-dashed'
import { type ReactNode, useMemo, useState } from 'react'
import { NewBoard } from '../../boards/page/NewBoard'
import { countText, numberText } from '../../format'
import { TASK_TITLE_MAX } from '../../tasks/limits'
import { lazySchema } from '../../web/lazyComponent'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, TextArea } from '../../web/ui/Field'
import { useDraft } from '../../web/useDraft'
import { useForm } from '../../web/useForm'
import { isTooLong, type ListedTask, tasksIn } from '../list'
import { failureOf, useMakeExample, useMakeFromList } from './cache'

export function FirstBoard() {
  const example = useMakeExample()
  const [pasting, setPasting] = useState(false)
  return (
    <>
      <ul className="mt-4 grid w-full max-w-4xl gap-3 text-left sm:grid-cols-3">
        <Way Icon={SquareDashed} title="Start empty" text="Just a name. Add tasks as you go.">
          <NewBoard>
            {(open) => (
              <Button look="primary" onClick={open}>
                Create Board
              </Button>
            )}
          </NewBoard>
        </Way>
        <Way
          Icon={Sparkles}
          title="Start with an example"
          text="Six sample tasks to try things out, with due dates close to today."
        >
          <Button busy={example.isPending} onClick={() => example.mutate(undefined)}>
            Create example board
          </Button>
        </Way>
        <Way Icon={LayoutList} title="Paste a list" text="From notes or an email: each line becomes a task.">
          <Button onClick={() => setPasting(true)}>Paste a list</Button>
        </Way>
      </ul>
      <p className="text-quiet">
        Or{' '}
        <Link to="/import" className="rounded-card font-strong text-text underline underline-offset-4">
          import a board
        </Link>{' '}
        from Trello, Planka, WeKan, a CSV or a wrk archive.
      </p>
      {example.isError && (
        <p role="alert" className="max-w-[60ch] text-pretty text-danger">
          {failureOf(example.error)}
        </p>
      )}
      <Dialog open={pasting} onOpenChange={setPasting} title="Paste a list" keep>
        <PasteList onDone={() => setPasting(false)} />
      </Dialog>
    </>
  )
}

type WayProps = { Icon: LucideIcon; title: string; text: string; children: ReactNode }

const Way = ({ Icon, title, text, children }: WayProps) => (
  <li className="flex flex-col items-start gap-4 rounded-card bg-surface p-5 shadow-card">
    <Icon className="size-5 text-quiet" aria-hidden />
    <div className="flex flex-1 flex-col gap-1">
      <h3 className="font-strong">{title}</h3>
      <p className="text-pretty text-quiet">{text}</p>
    </div>
    {children}
  </li>
)

const useSchema = lazySchema(() => import('../schema').then((module) => module.listedBoard))

function PasteList({ onDone }: { onDone(): void }) {
  const form = useForm(useDraft('pasted-list', { name: '', list: '' }), { schema: useSchema(), early: 'too long' })
  const leave = () => {
    form.discard()
    onDone()
  }
  const make = useMakeFromList(leave)
  return (
    <form onSubmit={form.submit((given) => make.mutate(given))} className="flex flex-col gap-4" noValidate>
      <Field label="Board Name" error={form.errors.name}>
        {(tied) => (
          <Input {...tied} {...form.text('name')} readOnly={make.isPending} placeholder="e.g. Moving house" autoComplete="off" />
        )}
      </Field>
      <Field
        label="List"
        error={form.errors.list}
        hint="One task per line. Leading “-”, “*”, “1.” and “[ ]” are ignored; “[x]” puts the task in Done."
      >
        {(tied) => (
          <TextArea
            {...tied}
            {...form.text('list')}
            readOnly={make.isPending}
            rows={6}
            placeholder={'- [ ] Call the movers\n- [x] Give notice'}
          />
        )}
      </Field>
      <ListPreview list={form.values.list} />
      {make.isError && (
        <p role="alert" className="text-pretty text-danger">
          {failureOf(make.error)}
        </p>
      )}
      <DialogButtons>
        <Button onClick={leave} disabled={make.isPending}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={make.isPending} disabled={form.values.name.trim() === ''}>
          Create Board
        </Button>
      </DialogButtons>
    </form>
  )
}

const SHOWN = 20

function ListPreview({ list }: { list: string }) {
  const tasks = useMemo(() => tasksIn(list), [list])
  const shown = tasks.filter((task, nth) => nth < SHOWN || isTooLong(task)).slice(0, 2 * SHOWN)
  const done = tasks.filter(({ status }) => status === 'done').length
  return (
    <section aria-label="Preview" className="flex flex-col gap-2">
      <p className="tabular text-quiet" aria-live="polite">
        {tasksText(tasks.length)}
        {done > 0 && `, ${done} of them in Done`}
      </p>
      {tasks.length > 0 && (
        <ul aria-label="Tasks" className="flex flex-col gap-1 rounded-card bg-column px-3 py-2">
          {shown.map((task) => (
            <Row key={task.row} task={task} />
          ))}
        </ul>
      )}
      {tasks.length > shown.length && (
        <p className="tabular text-quiet text-small">and {numberText(tasks.length - shown.length)} more</p>
      )}
    </section>
  )
}

const tasksText = (count: number) => (count === 0 ? 'No tasks yet' : countText(count, 'task'))

function Row({ task }: { task: ListedTask }) {
  const Icon = task.status === 'done' ? Check : Circle
  return (
    <li className="flex items-start gap-2">
      <Icon className="mt-1 size-3.5 shrink-0 text-quiet" aria-label={task.status === 'done' ? 'Done' : 'To Do'} />
      <span className="min-w-0">
        <span dir="auto" className="line-clamp-2 wrap-anywhere">
          {task.title}
        </span>
        {isTooLong(task) && (
          <span className="tabular block text-danger text-small">
            Line {task.row} has {task.title.length} characters; the limit is {TASK_TITLE_MAX}
          </span>
        )}
      </span>
    </li>
  )
}

import { Plus } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '../../../web/ui/Button'
import { Input } from '../../../web/ui/Field'
import { Popover, PopoverPanel } from '../../../web/ui/Popover'
import type { SheetTask } from '../schema'

type Props = { tasks: SheetTask[]; onAdd(task: SheetTask): void }

const SHOWN = 50

/** One's tasks that have no row yet, found by their titles and boards. */
export function AddRow({ tasks, onAdd }: Props) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const added = useRef(false)
  const words = text.toLowerCase().split(/\s+/)
  const found = tasks.filter(({ title, board }) => words.every((word) => `${title} ${board}`.toLowerCase().includes(word)))
  const change = (next: boolean) => {
    setOpen(next)
    setText('')
  }
  const add = (task: SheetTask) => {
    added.current = true
    change(false)
    onAdd(task)
  }
  const options = () => [...(list.current?.querySelectorAll('button') ?? [])]
  const walk = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const at = options().findIndex((option) => option.matches(':focus'))
    options()[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
    event.preventDefault()
  }
  return (
    <Popover
      open={open}
      onOpenChange={change}
      trigger={
        <Button size="small">
          <Plus className="size-3.5" aria-hidden />
          Add a row
        </Button>
      }
    >
      <PopoverPanel
        label="Add a row"
        className="z-30 w-96 gap-2 p-3"
        onCloseAutoFocus={(event) => {
          // The row that is added has the focus.
          if (added.current) event.preventDefault()
          added.current = false
        }}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: its field and buttons are what has the focus */}
        <div onKeyDown={walk} className="flex flex-col gap-2">
          <Input
            aria-label="Find one of your tasks"
            placeholder="Find one of your tasks"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={({ key }) => key === 'Enter' && found[0] && add(found[0])}
          />
          <ul ref={list} className="-mx-1 flex max-h-72 flex-col overflow-y-auto">
            {found.slice(0, SHOWN).map((task) => (
              <li key={task.id}>
                <button
                  type="button"
                  onClick={() => add(task)}
                  className="flex w-full items-baseline gap-2 rounded-card px-2 py-1.5 text-left hover:bg-hover"
                >
                  <bdi className={`min-w-0 flex-1 truncate ${task.status === 'done' ? 'text-quiet line-through' : ''}`}>
                    {task.title}
                  </bdi>
                  <bdi className="max-w-32 shrink-0 truncate text-quiet text-small">{task.board}</bdi>
                </button>
              </li>
            ))}
          </ul>
          <p role="status" className="text-quiet text-small empty:hidden">
            {tasks.length === 0 && 'You have no other assigned or recent tasks. You can log time on any task from its card.'}
            {tasks.length > 0 && found.length === 0 && 'No other of your assigned or recent tasks matches.'}
            {found.length > SHOWN && 'There are others: write more of the name.'}
          </p>
        </div>
      </PopoverPanel>
    </Popover>
  )
}

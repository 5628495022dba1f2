import { useNavigate } from '@tanstack/react-router'
import { type RefObject, type SubmitEvent, useEffect, useState } from 'react'
import type { Task } from '../../../tasks/schema'
import { SEARCHED_ABOVE } from '../../../users/basics'
import { Button } from '../../../web/ui/Button'
import { Input } from '../../../web/ui/Field'
import { Select } from '../../../web/ui/Select'
import { choicesIn, MORE_CHOICES } from './ChooseMany'

type Props = { boardId: number; tasks: Task[]; heading: RefObject<HTMLParagraphElement | null>; onLeave(): void }

export function NoTime({ boardId, tasks, heading, onLeave }: Props) {
  const navigate = useNavigate()
  const [chosen, setChosen] = useState('')
  const [text, setText] = useState('')
  const { shown, more } = choicesIn(
    tasks.map(({ id, title }) => ({ id, label: title })),
    text,
  )
  const task = shown.find(({ id }) => String(id) === chosen)?.id ?? shown[0]?.id
  useEffect(() => {
    // The last entry was deleted, and the focus with it.
    if (document.activeElement === document.body) heading.current?.focus()
  }, [heading])
  const open = (event: SubmitEvent) => {
    event.preventDefault()
    if (task === undefined) return
    onLeave()
    void navigate({ to: '/board/$boardId', params: { boardId }, search: { task, openTaskDetail: true } })
  }
  return (
    <form onSubmit={open} className="mx-auto flex w-full max-w-md flex-col items-center gap-4 py-12 text-center">
      <p ref={heading} tabIndex={-1} className="rounded-card font-strong text-title">
        Open a task to add time
      </p>
      {tasks.length > 0 ? (
        <>
          {tasks.length > SEARCHED_ABOVE && (
            <Input
              aria-label="Find a task"
              placeholder="Find a task"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
          <div className="flex w-full gap-2">
            <Select
              aria-label="Task"
              className="min-w-0 flex-1"
              value={task ?? ''}
              onChange={({ target: { value } }) => setChosen(value)}
            >
              {shown.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </Select>
            <Button type="submit" look="primary" className="h-10" disabled={task === undefined}>
              Open task
            </Button>
          </div>
          {more && <p className="text-quiet text-small">{MORE_CHOICES}</p>}
        </>
      ) : (
        <p className="text-quiet">This board has no tasks yet.</p>
      )}
    </form>
  )
}

import { DropdownMenu } from 'radix-ui'
import { type ReactNode, use, useRef } from 'react'
import { besideToasts } from '../../web/ui/besideToasts'
import { STATUS_LABELS, STATUSES, type Status, type Task } from '../schema'
import { MovesContext } from './movesContext'

type Props = { task: Task; children: ReactNode }

export function MoveMenu({ task, children }: Props) {
  const { tasks, moveTo } = use(MovesContext)
  const inColumn = (status: Status) => tasks.filter((other) => other.status === status)
  const own = inColumn(task.status)
  const index = own.findIndex(({ id }) => id === task.id)
  const moved = useRef(false)
  const move = (status: Status, to: number) => {
    moved.current = true
    moveTo(task, status, to)
  }
  return (
    <DropdownMenu.Root defaultOpen>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onInteractOutside={besideToasts}
          onCloseAutoFocus={(event) => {
            // The moved card gets the focus instead.
            if (moved.current) event.preventDefault()
            moved.current = false
          }}
          className="z-50 min-w-44 animate-appear rounded-card bg-raised p-1 shadow-panel focus:outline-none"
        >
          <Item disabled={index <= 0} onSelect={() => move(task.status, index - 1)}>
            Move up
          </Item>
          <Item disabled={index === own.length - 1} onSelect={() => move(task.status, index + 1)}>
            Move down
          </Item>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          {STATUSES.filter((status) => status !== task.status).map((status) => (
            <Item key={status} onSelect={() => move(status, inColumn(status).length)}>
              Move to {STATUS_LABELS[status]}
            </Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const Item = (props: DropdownMenu.DropdownMenuItemProps) => (
  <DropdownMenu.Item
    className="flex min-h-9 cursor-default items-center rounded-[4px] px-2.5 outline-none data-[disabled]:opacity-40 data-[highlighted]:bg-hover"
    {...props}
  />
)

import { useNavigate } from '@tanstack/react-router'
import { Download, Trash2 } from 'lucide-react'
import { type ComponentProps, type ComponentType, useRef, useState } from 'react'
import { Confirm } from '../../web/ui/Confirm'
import { Menu, MenuItem } from '../../web/ui/Menu'
import { type Board, RESTORABLE_DAYS } from '../schema'
import { forgetBoard, useDeleteBoard } from './cache'
import { exportBoard } from './exportBoard'

const DELETE_TEXT =
  'This action cannot be undone. This will permanently delete the board and all of its tasks and comments. All members will lose access to this board.'
const RESTORE_TEXT = `For ${RESTORABLE_DAYS} days you can bring the board back from the dashboard, with everything on it. After that:`

type Props = { board: Board; locked: boolean; MenuButton: ComponentType<ComponentProps<'button'>> }

export function HeaderMenuItems({ board, locked, MenuButton }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  const deletion = useDeleteBoard(board.id)
  const navigate = useNavigate()
  const confirm = async () => {
    const isDeleted = await deletion.mutateAsync().catch(() => false)
    setAsking(false)
    if (!isDeleted) return
    await navigate({ to: '/' })
    forgetBoard(board.id)
  }
  const giveBack = (event: Event) => {
    event.preventDefault()
    button.current?.focus()
  }
  return (
    <>
      <Menu trigger={<MenuButton ref={button} />}>
        <MenuItem onSelect={() => exportBoard(board.id)}>
          <Download className="size-4" aria-hidden />
          Export Board
        </MenuItem>
        {!locked && (
          <MenuItem className="text-danger" onSelect={() => setAsking(true)}>
            <Trash2 className="size-4" aria-hidden />
            Delete Board
          </MenuItem>
        )}
      </Menu>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${board.name}”?`}
        text={DELETE_TEXT}
        before={RESTORE_TEXT}
        action="Delete Board"
        busyAction="Deleting..."
        busy={deletion.isPending}
        onConfirm={confirm}
        onCloseAutoFocus={giveBack}
      />
    </>
  )
}

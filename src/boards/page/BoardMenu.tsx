import type { ComponentProps } from 'react'
import { lazyComponent } from '../../web/lazy'
import { useLazyMenu } from '../../web/ui/useLazyMenu'
import type { BoardListItem } from '../schema'
import type { BoardMoves } from './BoardMenuItems'

const BoardMenuItems = lazyComponent(() => import('./BoardMenuItems').then((module) => module.BoardMenuItems))

/** Pins and moves a board by clicks, for whoever cannot drag. */
export function BoardMenu({ board, moves }: { board: BoardListItem; moves: BoardMoves }) {
  const label = `Arrange ${board.name}`
  const { opened, button, waiting } = useLazyMenu((props) => <MenuButton aria-label={label} {...props} />)
  if (!opened) return button
  return (
    <BoardMenuItems {...waiting} board={board} moves={moves}>
      <MenuButton aria-label={label} />
    </BoardMenuItems>
  )
}

const MenuButton = (props: ComponentProps<'button'>) => (
  <button
    type="button"
    aria-haspopup="menu"
    className="absolute top-3 right-2 size-7 rounded-card font-strong text-transparent tracking-widest pointed:text-quiet data-[state=open]:text-quiet pointer-coarse:text-quiet hover:bg-hover hover:text-text"
    {...props}
  >
    ···
  </button>
)

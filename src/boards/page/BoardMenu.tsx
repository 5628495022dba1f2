import { type ComponentProps, useState } from 'react'
import { lazyComponent } from '../../web/lazy'
import { Opening } from '../../web/ui/Opening'
import { useEver } from '../../web/useEver'
import type { BoardListItem } from '../schema'
import type { BoardMoves } from './BoardMenuItems'

const BoardMenuItems = lazyComponent(() => import('./BoardMenuItems').then((module) => module.BoardMenuItems))

/** Pins and moves a board by clicks, for whoever cannot drag. */
export function BoardMenu({ board, moves }: { board: BoardListItem; moves: BoardMoves }) {
  const [opened, setOpened] = useState(false)
  // Where it did not open, its button, which is another one then, has the focus again.
  const wasOpened = useEver(opened)
  const button = (
    <MenuButton aria-label={`Arrange ${board.name}`} aria-busy={opened} autoFocus={wasOpened} onClick={() => setOpened(true)} />
  )
  if (!opened) return button
  const close = () => setOpened(false)
  const opening = (
    <>
      {button}
      <Opening onClose={close} />
    </>
  )
  return (
    <BoardMenuItems fallback={opening} onLost={close} board={board} moves={moves}>
      <MenuButton aria-label={`Arrange ${board.name}`} />
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

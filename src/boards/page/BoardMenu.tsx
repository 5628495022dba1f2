import { mayExportBoard } from '../../access'
import { useViewer } from '../../auth/page/cache'
import { Menu, MenuItem, MenuLine } from '../../web/ui/Menu'
import type { BoardListItem } from '../schema'
import { exportBoard } from './exportBoard'

export type BoardMoves = { pin(): void; up: (() => void) | undefined; down: (() => void) | undefined }

type Props = { board: BoardListItem; moves: BoardMoves }

/** Pins and moves a board by clicks, for whoever cannot drag. */
export function BoardMenu({ board, moves }: Props) {
  const viewer = useViewer()
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Arrange ${board.name}`}
          className="absolute top-3 right-2 size-7 rounded-card font-strong text-transparent tracking-widest pointed:text-quiet data-[state=open]:text-quiet pointer-coarse:text-quiet hover:bg-hover hover:text-text"
        >
          ···
        </button>
      }
    >
      <MenuItem onSelect={moves.pin}>{board.pinned ? 'Unpin' : 'Pin'}</MenuItem>
      <MenuLine />
      <MenuItem disabled={!moves.up} onSelect={moves.up}>
        Move up
      </MenuItem>
      <MenuItem disabled={!moves.down} onSelect={moves.down}>
        Move down
      </MenuItem>
      {mayExportBoard(viewer, board) && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => exportBoard(board.id)}>Export Board</MenuItem>
        </>
      )}
    </Menu>
  )
}

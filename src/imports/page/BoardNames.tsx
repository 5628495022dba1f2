import type { Board } from '../../boards/schema'
import { NameQuestion } from './NameQuestion'
import { useLiveNames, useOwnNames } from './names'

/** Asks whoever comes to the board about one name after the other. */
export function BoardNames({ board }: { board: Board }) {
  useLiveNames(board.id)
  const [first] = useOwnNames(board).filter(({ isRefused }) => !isRefused)
  return (
    <div role="status">
      {first && (
        <NameQuestion key={first.user.id} boardId={board.id} name={first.user} isRefused={false} className="mx-4 mt-3 sm:mx-6" />
      )}
    </div>
  )
}

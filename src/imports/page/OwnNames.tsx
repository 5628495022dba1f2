import type { Board } from '../../boards/schema'
import { NameQuestion } from './NameQuestion'
import { useOwnNames } from './names'

/** All about which one is asked, and what one has said is not one's own. */
export function OwnNames({ board }: { board: Board }) {
  const names = useOwnNames(board)
  if (names.length === 0) return null
  return (
    <ul aria-label="Is it yours?" className="flex max-h-56 shrink-0 flex-col gap-2 overflow-y-auto">
      {names.map(({ user, isRefused }) => (
        <li key={user.id}>
          <NameQuestion boardId={board.id} name={user} isRefused={isRefused} />
        </li>
      ))}
    </ul>
  )
}

import type { Board } from '../../boards/schema'
import { NameQuestion } from './NameQuestion'
import { useOwnNames } from './names'

/** All that the board itself is not asking about at the moment: it asks about the first. */
export function OwnNames({ board }: { board: Board }) {
  const [, ...others] = useOwnNames(board).filter(({ isRefused }) => !isRefused)
  if (others.length === 0) return null
  return (
    <ul aria-label="Is it yours?" className="flex max-h-56 shrink-0 flex-col gap-2 overflow-y-auto">
      {others.map((name) => (
        <li key={name.user.id}>
          <NameQuestion boardId={board.id} {...name} />
        </li>
      ))}
    </ul>
  )
}

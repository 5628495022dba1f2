import type { Board } from '../../boards/schema'
import { NameQuestion } from './NameQuestion'
import { NoneMine } from './NoneMine'
import { useOwnNames } from './names'

/** All about which one is asked, and what one has said is not one's own. */
export function OwnNames({ board }: { board: Board }) {
  const names = useOwnNames(board)
  const open = names.filter(({ isRefused }) => !isRefused)
  if (names.length === 0) return null
  return (
    <>
      <ul aria-label="Is it yours?" className="flex max-h-56 shrink-0 flex-col gap-2 overflow-y-auto">
        {names.map((name) => (
          <li key={name.user.id}>
            <NameQuestion boardId={board.id} {...name} />
          </li>
        ))}
      </ul>
      {open.length > 1 && (
        <div className="-mt-1 self-end">
          <NoneMine boardId={board.id} nameIds={open.map(({ user }) => user.id)} />
        </div>
      )}
    </>
  )
}

import type { Board } from '../../boards/schema'
import { NameQuestion } from './NameQuestion'
import { NoneMine } from './NoneMine'
import { useOwnNames } from './names'

/** All about which one is asked. */
export function OwnNames({ board }: { board: Board }) {
  const open = useOwnNames(board).filter(({ isRefused }) => !isRefused)
  return (
    <>
      {open.length > 0 && (
        <ul aria-label="Is it yours?" className="flex max-h-56 shrink-0 flex-col gap-2 overflow-y-auto">
          {open.map((name) => (
            <li key={name.user.id}>
              <NameQuestion boardId={board.id} {...name} />
            </li>
          ))}
        </ul>
      )}
      {open.length > 1 && (
        <div className="-mt-1 self-end">
          <NoneMine boardId={board.id} nameIds={open.map(({ user }) => user.id)} />
        </div>
      )}
    </>
  )
}

import type { Board } from '../../boards/schema'
import { displayName } from '../../users/basics'
import { namesText } from '../basics'
import { NameQuestion } from './NameQuestion'
import { NoneMine } from './NoneMine'
import { useLiveNames, useOwnNames } from './names'

/** Asks whoever comes to the board about one name after the other, or all of them at once. */
export function BoardNames({ board }: { board: Board }) {
  useLiveNames(board.id)
  const open = useOwnNames(board).filter(({ isRefused }) => !isRefused)
  const [first, ...others] = open
  return (
    <div role="status">
      {first && (
        <NameQuestion key={first.user.id} boardId={board.id} {...first} className="mx-4 mt-3 sm:mx-6">
          {others.length > 0 && (
            <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 text-small">
              <p className="wrap-anywhere min-w-0 flex-1 basis-40 text-quiet">
                You are asked about {namesText(others.map(({ user }) => displayName(user)))}, too.
              </p>
              <NoneMine boardId={board.id} nameIds={open.map(({ user }) => user.id)} />
            </div>
          )}
        </NameQuestion>
      )}
    </div>
  )
}

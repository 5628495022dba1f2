import { useRef } from 'react'
import type { Board } from '../../boards/schema'
import { displayName } from '../../users/limits'
import { Button } from '../../web/ui/Button'
import { namesText } from '../limits'
import { focusAfter, NameQuestion } from './NameQuestion'
import { useDeclineNames, useLiveNames, useOwnNames } from './names'

/** Asks about one name after the other, or about all of them at once. */
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
                There is also imported work by {namesText(others.map(({ user }) => displayName(user)))}.
              </p>
              <NoneMine boardId={board.id} nameIds={open.map(({ user }) => user.id)} />
            </div>
          )}
        </NameQuestion>
      )}
    </div>
  )
}

function NoneMine({ boardId, nameIds }: { boardId: number; nameIds: number[] }) {
  const place = useRef<HTMLButtonElement>(null)
  const decline = useDeclineNames(boardId)
  return (
    <Button
      ref={place}
      size="small"
      look="quiet"
      busy={decline.isPending}
      onClick={() => void focusAfter(place.current, decline.run(nameIds))}
    >
      None of these are mine
    </Button>
  )
}

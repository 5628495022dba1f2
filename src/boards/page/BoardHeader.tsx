import { mayDeleteBoard, mayEditBoard } from '../../access'
import { BoardActivity } from '../../activity/page/BoardActivity'
import { useViewer } from '../../auth/page/cache'
import { OpenTimeLogs } from '../../time/page/OpenTimeLogs'
import { AvatarGroup } from '../../users/page/AvatarGroup'
import { displayName } from '../../users/schema'
import { send, useIsLost } from '../../web/live/socket'
import { preview } from '../../web/preview'
import { InlineEdit } from '../../web/ui/InlineEdit'
import { Reconnecting } from '../../web/ui/Reconnecting'
import { BOARD_DESCRIPTION_MAX, BOARD_NAME_MAX } from '../basics'
import type { Board } from '../schema'
import { useUpdateBoard } from './cache'
import { DeleteBoard } from './DeleteBoard'
import { HeaderMenu } from './HeaderMenu'
import { Members } from './Members'
import { useHere } from './Presence'
import { useEditors } from './useEditors'

export function BoardHeader({ board, locked }: { board: Board; locked: boolean }) {
  const viewer = useViewer()
  const name = useUpdateBoard(board.id, 'name')
  const description = useUpdateBoard(board.id, 'description')
  const mayEdit = !locked && mayEditBoard(viewer, board)
  const editing = (element: 'board_name' | 'board_description') => (active: boolean) =>
    send({ type: 'editing_status', payload: { boardId: board.id, element, status: active ? 'started' : 'ended' } })
  return (
    <header className="flex items-start justify-between gap-x-3 gap-y-1 px-4 max-sm:flex-col pt-3 pb-3 sm:px-6 lg:pt-4">
      <div className="min-w-0 flex-1 max-sm:w-full">
        <InlineEdit
          as="h1"
          label="Board name"
          value={board.name}
          max={BOARD_NAME_MAX}
          mayEdit={mayEdit}
          onEditing={editing('board_name')}
          onSave={(value) => (value ? name.run({ name: value }) : undefined)}
          className="font-strong text-title"
        />
        <InlineEdit
          as="p"
          label="Board description"
          value={board.description ?? ''}
          shown={preview(board.description ?? '')}
          placeholder="No description"
          max={BOARD_DESCRIPTION_MAX}
          mayEdit={mayEdit}
          onEditing={editing('board_description')}
          onSave={(value) => description.run({ description: value })}
          className="text-quiet"
        />
      </div>
      <div className="flex items-center gap-0.5 max-sm:w-full max-sm:flex-wrap max-sm:justify-end sm:gap-2">
        <LiveStatus boardId={board.id} />
        <span className="mr-1 max-sm:mr-auto">
          <AvatarGroup users={board.members} here={useHere()} />
        </span>
        <OpenTimeLogs board={board} locked={locked} />
        <Members board={board} locked={locked} />
        <BoardActivity board={board} />
        <HeaderMenu board={board} locked={locked} />
        {mayDeleteBoard(viewer, board) && <DeleteBoard board={board} />}
      </div>
    </header>
  )
}

function LiveStatus({ boardId }: { boardId: number }) {
  const editor = useEditors(boardId)
  const lost = useIsLost()
  return (
    <span role="status" className="flex items-center text-quiet text-small">
      <Reconnecting />
      {editor && !lost && (
        <span className="max-sm:sr-only">
          <bdi>{displayName(editor.user)}</bdi> is editing the {ELEMENTS[editor.element]}…
        </span>
      )}
    </span>
  )
}

const ELEMENTS: Record<string, string> = { board_name: 'name', board_description: 'description' }

import { useNavigate } from '@tanstack/react-router'
import Activity from 'lucide-react/icons/activity'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Trash2 from 'lucide-react/icons/trash'
import { useEffect, useState } from 'react'
import { mayDeleteBoard, mayEditBoard, mayExportBoard } from '../../access'
import { BOARD_DESCRIPTION_MAX, BOARD_NAME_MAX } from '../../boards/limits'
import { exportBoard, forgetBoard, useDeleteBoard, useUpdateBoard } from '../../boards/page/cache'
import { useUsersHere } from '../../boards/page/Presence'
import type { Board } from '../../boards/schema'
import { useMakeLink } from '../../invitations/page/cache'
import { DeletedTasks } from '../../tasks/page/DeletedTasks'
import { OpenTimeLogs } from '../../time/page/OpenTimeLogs'
import { AvatarGroup } from '../../users/page/People'
import { useViewer } from '../../users/page/viewer'
import { displayName, type UserSummary } from '../../users/schema'
import { lazyComponent } from '../../web/lazyComponent'
import { send, useIsLost, useLiveMessages } from '../../web/live/socket'
import { preview } from '../../web/plainText'
import { IconButton } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { ConnectionLine } from '../../web/ui/ConnectionLine'
import { Dialog } from '../../web/ui/Dialog'
import { InlineEdit } from '../../web/ui/InlineEdit'
import { Menu, MenuItem } from '../../web/ui/Menu'
import { useMedia } from '../../web/useMedia'
import { ACTIONS, DESCRIPTION, HEADER } from './BoardSkeleton'
import { Members } from './Members'

/** Tailwind's `xl`, and the smallest of phones. */
const ROOMY = '(min-width: 80rem)'
const TINY = '(max-width: 22rem)'
const PHONE = 'not all and (min-width: 40rem)'

export function BoardHeader({ board, locked }: { board: Board; locked: boolean }) {
  const viewer = useViewer()
  const name = useUpdateBoard(board.id, 'name')
  const description = useUpdateBoard(board.id, 'description')
  const mayEdit = !locked && mayEditBoard(viewer, board)
  const most = useMostFaces(board.members.length)
  const isPhone = useMedia(PHONE)
  const [reading, setReading] = useState(false)
  const read = () => setReading(true)
  const editing = (element: 'board_name' | 'board_description') => (active: boolean) =>
    send({ type: 'editing_status', payload: { boardId: board.id, element, status: active ? 'started' : 'ended' } })
  return (
    <header className={`${HEADER} has-[>div>input,>div>textarea]:[&_[data-editor]]:sr-only`}>
      <div>
        <InlineEdit
          as="h1"
          label="Board name"
          value={board.name}
          max={BOARD_NAME_MAX}
          mayEdit={mayEdit}
          onEditing={editing('board_name')}
          onSave={(value) => (value ? name.run({ name: value }) : undefined)}
          className="font-strong text-page"
        />
      </div>
      <div className={DESCRIPTION}>
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
      <LiveStatus boardId={board.id} />
      <div className={`dense-header -mr-overhang flex items-center max-sm:flex-wrap max-sm:justify-end md:gap-2 ${ACTIONS}`}>
        <span className="mr-1 max-sm:mr-auto">
          <AvatarGroup users={board.members} here={useUsersHere()} max={most} />
        </span>
        <OpenTimeLogs board={board} locked={locked} />
        <Members board={board} locked={locked} />
        {!isPhone && <IconButton icon={Activity} label="Activity" onClick={read} />}
        <HeaderMenu board={board} locked={locked} onActivity={isPhone && read} />
        {mayDeleteBoard(viewer, board) && <DeleteBoard board={board} />}
        {/* On a phone, room for the filters' button. */}
        <span className="w-icon in-[header:not(:has(+search))]:hidden sm:hidden" />
      </div>
      <BoardActivity board={board} open={reading} onOpenChange={setReading} />
    </header>
  )
}

/** Leaves room for the name, and on a phone for the buttons on the same line. */
function useMostFaces(members: number): number | undefined {
  const [isRoomy, isTiny] = [useMedia(ROOMY), useMedia(TINY)]
  if (isRoomy) return undefined
  if (isTiny) return 1
  return members > 4 ? 3 : 4
}

/** Overlays the end of the name's line, or of the description's on wide pages: nothing moves when it comes and goes. */
function LiveStatus({ boardId }: { boardId: number }) {
  const editor = useEditor(boardId)
  const lost = useIsLost()
  return (
    <span
      role="status"
      className="absolute inset-y-0 right-0 col-start-1 col-end-2 row-start-1 row-end-2 flex items-center text-quiet text-small *:mr-0 *:bg-linear-to-l *:from-80% *:from-paper *:py-0.5 *:pl-7 unfolded:col-end-3 unfolded:row-start-2 unfolded:row-end-3 pointer-events-none *:[[title]]:pointer-events-auto"
    >
      <ConnectionLine />
      {editor && !lost && (
        <span data-editor className="max-sm:sr-only short:sr-only">
          <bdi>{displayName(editor.user)}</bdi> is editing the {ELEMENTS[editor.element]}…
        </span>
      )}
    </span>
  )
}

const ELEMENTS: Record<string, string> = { board_name: 'name', board_description: 'description' }

const FORGOTTEN_AFTER = 60_000

type Editor = { user: UserSummary; element: string }

/** The last other user who began to edit the board's name or description. */
function useEditor(boardId: number): Editor | null {
  const [editor, setEditor] = useState<Editor | null>(null)
  const clear = (userId: number) => {
    if (editor?.user.id === userId) setEditor(null)
  }
  useLiveMessages({
    board_member_removed: ({ userId }) => clear(userId),
    presence({ people, ...heard }) {
      if (heard.boardId === boardId && people.every(({ userId }) => userId !== editor?.user.id)) setEditor(null)
    },
    editing_status({ user, element, status, ...payload }) {
      if (payload.boardId !== boardId) return
      if (status === 'started') setEditor({ user, element })
      else clear(user.id)
    },
  })
  useEffect(() => {
    if (!editor) return
    const timer = setTimeout(setEditor, FORGOTTEN_AFTER, null)
    return () => clearTimeout(timer)
  }, [editor])
  return editor
}

type MenuProps = { board: Board; locked: boolean; onActivity: false | (() => void) }

function HeaderMenu({ board, locked, onActivity }: MenuProps) {
  const viewer = useViewer()
  const link = useMakeLink(board.id)
  const [listing, setListing] = useState(false)
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label="Board menu" />}>
        {onActivity && <MenuItem onSelect={onActivity}>Activity</MenuItem>}
        {!locked && board.inviteLinks && <MenuItem onSelect={() => link.mutate()}>Copy invite link</MenuItem>}
        {mayExportBoard(viewer, board) && <MenuItem onSelect={() => exportBoard(board.id)}>Export board</MenuItem>}
        <MenuItem onSelect={() => setListing(true)}>Deleted tasks</MenuItem>
      </Menu>
      <DeletedTasks board={board} locked={locked} open={listing} onOpenChange={setListing} />
    </>
  )
}

const DELETE_TEXT =
  'This action cannot be undone. This will permanently delete the board and all of its tasks and comments. All members will lose access to this board.'

/** As specified, only the toast afterwards says that the board can be restored. */
function DeleteBoard({ board }: { board: Board }) {
  const [asking, setAsking] = useState(false)
  const deletion = useDeleteBoard(board.id)
  const navigate = useNavigate()
  const confirm = async () => {
    const isDeleted = await deletion.mutateAsync().catch(() => false)
    setAsking(false)
    if (!isDeleted) return
    await navigate({ to: '/' })
    forgetBoard(board.id)
  }
  return (
    <>
      <IconButton icon={Trash2} label="Delete Board" onClick={() => setAsking(true)} />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Delete “${board.name}”?`}
        text={DELETE_TEXT}
        action="Delete Board"
        busyAction="Deleting..."
        busy={deletion.isPending}
        onConfirm={confirm}
      />
    </>
  )
}

const Feed = lazyComponent(() => import('../../activity/page/Feed').then((module) => module.Feed))

type ActivityProps = { board: Board; open: boolean; onOpenChange(open: boolean): void }

function BoardActivity({ board, open, onOpenChange }: ActivityProps) {
  const close = () => onOpenChange(false)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Activity" description={board.name} shape="side">
      <Feed fallback={<div className="skeleton-people h-40" aria-busy />} onLost={close} board={board} onLeave={close} />
    </Dialog>
  )
}

import { shortSentence } from '../../activity/page/ActivitySentence'
import type { BoardListItem } from '../../boards/schema'
import { countText, numberText } from '../../format'
import { STATUSES } from '../../tasks/limits'
import { STATUS_COLORS } from '../../tasks/page/display'
import { Avatars } from '../../users/page/Avatar'
import { displayName } from '../../users/schema'
import type { ActiveBoard } from '../schema'

/** No bar in the server's HTML, which may have no inline styles. */
type Props = { board: BoardListItem; facts: ActiveBoard | undefined; bar?: boolean }

/** Progress, last activity and members; empty but of the same height until they are known. */
export const BoardFacts = ({ board, facts, bar = true }: Props) => (
  <>
    <span className="flex h-1">{bar && facts && <Progress tasks={facts.tasks} />}</span>
    <span className="tabular flex h-[1.125rem] justify-between gap-3 text-small">
      <span className="truncate text-quiet">{facts?.lastActivity && <LastActivity activity={facts.lastActivity} />}</span>
      {facts && facts.overdue > 0 && (
        <span className="shrink-0 font-strong text-accent">{numberText(facts.overdue)} overdue</span>
      )}
    </span>
    <span className="flex h-6 items-center justify-between gap-3">
      <Avatars users={facts?.faces ?? []} />
      <span className="tabular ml-auto min-w-0 truncate text-quiet text-small" title={peopleText(board)}>
        {peopleText(board)}
      </span>
    </span>
  </>
)

/** Lists stored by older versions have no `nameCount`. */
function peopleText({ memberCount, nameCount = 0 }: Pick<BoardListItem, 'memberCount'> & { nameCount?: number }): string {
  const people = memberCount - nameCount
  const members = countText(people, 'member')
  return nameCount === 0 ? members : `${members}, ${countText(nameCount, 'imported name')}`
}

const LastActivity = ({ activity }: { activity: NonNullable<ActiveBoard['lastActivity']> }) => (
  <>
    <bdi>{displayName(activity.user)}</bdi> {shortSentence(activity)},{' '}
    <time dateTime={activity.createdAt}>{agoText(activity.createdAt)}</time>
  </>
)

function Progress({ tasks }: { tasks: ActiveBoard['tasks'] }) {
  const all = tasks.todo + tasks.inprogress + tasks.done
  const text =
    all === 0
      ? 'No tasks yet'
      : `${numberText(tasks.todo)} to do, ${numberText(tasks.inprogress)} in progress, ${numberText(tasks.done)} done`
  return (
    <span role="img" aria-label={text} title={text} className="flex flex-1 gap-0.5 overflow-hidden rounded-full">
      {all === 0 && <span className="flex-1 bg-line" />}
      {STATUSES.filter((status) => tasks[status] > 0).map((status) => (
        <span key={status} className={STATUS_COLORS[status]} style={{ flexGrow: tasks[status] }} />
      ))}
    </span>
  )
}

const MINUTE = 60_000
const UNITS = [
  [24 * 60 * MINUTE, 'day'],
  [60 * MINUTE, 'h'],
  [MINUTE, 'min'],
] as const

/** Short, as on a card: "4 min ago". */
function agoText(moment: string, now = Date.now()): string {
  const passed = now - Date.parse(moment)
  const [length, unit] = UNITS.find(([length]) => passed >= length) ?? []
  if (!length) return 'just now'
  const count = Math.floor(passed / length)
  return `${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''} ago`
}

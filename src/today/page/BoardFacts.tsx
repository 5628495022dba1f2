import { countText, numberText } from '../../basics'
import type { BoardListItem } from '../../boards/schema'
import { STATUSES, type Status } from '../../tasks/basics'
import { Avatars } from '../../users/page/Avatar'
import { displayName } from '../../users/schema'
import type { ActiveBoard } from '../schema'
import { agoText, didText } from './lastActivity'

const FILLS: Record<Status, string> = { todo: 'bg-todo', inprogress: 'bg-inprogress', done: 'bg-done' }

/** The HTML has no bar, for its parts would be styles in it. */
type Props = { board: BoardListItem; facts: ActiveBoard | undefined; bar?: boolean }

/** How far a board is, what happened there last, and who is on it; empty, and of the same height, until that is known. */
export const BoardFacts = ({ board, facts, bar = true }: Props) => (
  <>
    <span className="flex h-1">{bar && facts && <Progress tasks={facts.tasks} />}</span>
    <span className="tabular flex h-[1.125rem] justify-between gap-3 text-small">
      <span className="truncate text-quiet">{facts?.lastActivity && <Last activity={facts.lastActivity} />}</span>
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

/** A list that was kept from an older version has no names apart. */
function peopleText({ memberCount, nameCount = 0 }: Pick<BoardListItem, 'memberCount'> & { nameCount?: number }): string {
  const people = memberCount - nameCount
  const members = countText(people, 'member')
  return nameCount === 0 ? members : `${members}, ${countText(nameCount, 'imported name')}`
}

const Last = ({ activity }: { activity: NonNullable<ActiveBoard['lastActivity']> }) => (
  <>
    <bdi>{displayName(activity.user)}</bdi> {didText(activity)},{' '}
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
        <span key={status} className={FILLS[status]} style={{ flexGrow: tasks[status] }} />
      ))}
    </span>
  )
}

import { STATUSES, type Status } from '../../tasks/schema'
import { Avatars } from '../../users/page/Avatar'
import { displayName } from '../../users/schema'
import type { ActiveBoard } from '../schema'
import { agoText, didText } from './lastActivity'

const FILLS: Record<Status, string> = { todo: 'bg-todo', inprogress: 'bg-inprogress', done: 'bg-done' }

/** How far a board is, who is on it, and what happened there last; an empty place of the same height until that is known. */
export function BoardFacts({ board }: { board: ActiveBoard | undefined }) {
  if (!board) return <span className="h-[3.875rem]" />
  const { tasks, overdue, faces, lastActivity } = board
  return (
    <>
      <Progress tasks={tasks} />
      <span className="tabular flex h-[1.125rem] justify-between gap-3 text-small">
        <span className="truncate text-quiet">
          {lastActivity && (
            <>
              <bdi>{displayName(lastActivity.user)}</bdi> {didText(lastActivity.kind)}, {agoText(lastActivity.createdAt)}
            </>
          )}
        </span>
        {overdue > 0 && <span className="shrink-0 font-strong text-accent">{overdue} overdue</span>}
      </span>
      <span className="flex h-6 items-center">
        <Avatars users={faces} />
      </span>
    </>
  )
}

function Progress({ tasks }: { tasks: ActiveBoard['tasks'] }) {
  const all = tasks.todo + tasks.inprogress + tasks.done
  const text = all === 0 ? 'No tasks yet' : `${tasks.todo} to do, ${tasks.inprogress} in progress, ${tasks.done} done`
  return (
    <span role="img" aria-label={text} title={text} className="flex h-1 gap-0.5 overflow-hidden rounded-full">
      {all === 0 && <span className="flex-1 bg-line" />}
      {STATUSES.filter((status) => tasks[status] > 0).map((status) => (
        <span key={status} className={FILLS[status]} style={{ flexGrow: tasks[status] }} />
      ))}
    </span>
  )
}

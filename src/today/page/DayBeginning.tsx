import { numberText } from '../../basics'
import { taskHash } from '../../tasks/page/address'
import type { Today } from '../schema'
import { DAY } from './DayPlaceholder'
import { NoTimer, Ring, TaskLine, TICK, titleLook } from './TaskLine'
import { GroupFrame, GroupsFrame, groupsOf, MORE, NoTasks, SHOWN } from './taskGroups'
import { HOURS, TimerPlace, WeekHours } from './WeekHours'

type Props = { today: Today; viewerId: number; hasTimer: boolean }

/** In the HTML, as high as what comes there: MyDay.tsx. */
export const DayBeginning = ({ today, viewerId, hasTimer }: Props) => (
  <div className={DAY}>
    <Tasks today={today} viewerId={viewerId} />
    <section aria-label="My time" className={HOURS}>
      {hasTimer && <TimerPlace />}
      <WeekHours days={today.week} day={today.day} bars={false} />
    </section>
  </div>
)

function Tasks({ today: { tasks, boards, day, more }, viewerId }: Omit<Props, 'hasTimer'>) {
  if (tasks.length === 0) return <NoTasks />
  const byId = new Map(boards.map((board) => [board.id, board]))
  return (
    <GroupsFrame more={more}>
      {groupsOf(tasks, day).map(({ group, tasks }) => {
        const hidden = tasks.length - SHOWN[group]
        return (
          <GroupFrame
            key={group}
            group={group}
            tasks={tasks}
            below={hidden > 0 && <span className={MORE}>Show {numberText(hidden)} more</span>}
          >
            {tasks.slice(0, SHOWN[group]).map((task) => (
              <TaskLine
                key={task.id}
                task={task}
                day={day}
                board={byId.get(task.boardId)}
                viewerId={viewerId}
                tick={
                  <span className={`${TICK} ${task.status === 'done' ? '' : 'text-transparent'}`}>
                    <Ring status={task.status} />
                  </span>
                }
                title={
                  <a href={`/board/${task.boardId}#${taskHash(task.id)}`} dir="auto" className={titleLook(task)}>
                    {task.title}
                  </a>
                }
                timer={<NoTimer />}
              />
            ))}
          </GroupFrame>
        )
      })}
    </GroupsFrame>
  )
}

import type { BoardListItem } from '../../boards/schema'
import { TryAgain } from '../../web/ui/TryAgain'
import type { useToday } from './cache'
import { DAY, DayPlaceholder } from './DayPlaceholder'
import { MyTasks } from './MyTasks'
import { WorkedHours } from './WorkedHours'

/** What is to be done, and what was worked. */
export function MyDay({ today, boards }: { today: ReturnType<typeof useToday>; boards: BoardListItem[] }) {
  if (today.data)
    return (
      <div className={DAY}>
        <MyTasks today={today.data} boards={boards} />
        <WorkedHours today={today.data} />
      </div>
    )
  if (!today.isError)
    return (
      <div className="waiting">
        <DayPlaceholder />
      </div>
    )
  return (
    <TryAgain busy={today.isFetching} retry={() => void today.refetch()} error={today.error}>
      Your tasks could not be loaded.
    </TryAgain>
  )
}

import { useDraft } from '../../../web/useDraft'
import type { MyTime, SheetTask } from '../schema'

/** The rows that one has added to a week, until the tab is closed; `others` are the tasks without a row. */
export function useRows(from: string, time: MyTime | undefined) {
  const draft = useDraft(`time-rows-${from}`, { ids: '' })
  const ids = draft.values.ids.split(' ').filter(Boolean).map(Number)
  const worked = new Set(time?.entries.map(({ taskId }) => taskId))
  const tasks = time?.tasks ?? []
  const isAdded = ({ id }: SheetTask) => ids.includes(id)
  return {
    added: tasks.filter(isAdded),
    others: tasks.filter((task) => !isAdded(task) && !worked.has(task.id)),
    add: (id: number) => draft.type({ ids: [...ids, id].join(' ') }),
  }
}

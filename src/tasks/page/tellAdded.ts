import { LONG, toast } from '../../web/toast'
import type { Task } from '../schema'

/** Those that are shown are seen, and one alone is told of by its creation. */
export function tellAdded(tasks: Task[], hidden: Task[], onShow: (task: Task) => void): void {
  const isOne = tasks.length === 1
  const [first] = hidden
  if (!first) return
  const title = isOne ? 'Task Created' : `${tasks.length} Tasks Created`
  const description = isOne ? 'The filter hides it.' : `The filter hides ${hidden.length} of them.`
  toast({ title, description, duration: LONG, actions: [{ label: 'Show', run: () => onShow(first) }] })
}

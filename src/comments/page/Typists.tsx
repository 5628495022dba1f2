import { displayName } from '../../users/schema'
import { useTypists } from './useTyping'

/** Always of the same height, so that nothing moves. */
export function Typists({ taskId }: { taskId: number }) {
  const typists = useTypists(taskId)
  const [first] = typists
  return (
    <p role="status" className="min-w-0 flex-1 truncate text-quiet text-small">
      {first && (typists.length === 1 ? <bdi>{displayName(first)} is typing</bdi> : `${typists.length} people are typing`)}
    </p>
  )
}

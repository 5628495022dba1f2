import { Button } from './Button'

type Props = { theirs: string; by: string | undefined; onTake(): void; onKeep(): void }

export const EditConflict = ({ theirs, by, onTake, onKeep }: Props) => (
  <div role="alert" className="flex flex-col items-start gap-2 rounded-card bg-column p-3 text-small">
    <p dir="auto" className="max-h-32 w-full overflow-y-auto whitespace-pre-wrap break-words">
      Changed meanwhile{by && <bdi> by {by}</bdi>} to: “{theirs}”
    </p>
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={onTake}>
        Take theirs
      </Button>
      <Button size="small" onClick={onKeep}>
        Keep mine
      </Button>
    </div>
  </div>
)

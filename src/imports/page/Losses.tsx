import { numberText } from '../basics'
import type { Loss } from '../schema'
import { Folded } from './Folded'

export function Losses({ losses, label }: { losses: Loss[]; label: string }) {
  const widest = Math.max(3, ...losses.map(({ count }) => numberText(count).length))
  return (
    <Folded of={losses} label={label}>
      {({ what, count, examples }) => (
        <li key={what} className="flex items-baseline gap-3 py-2.5">
          <span className="tabular shrink-0 font-strong" style={{ minWidth: `${widest}ch` }}>
            {numberText(count)}
          </span>
          <div className="min-w-0">
            <p className="text-pretty">{what}</p>
            {examples.length > 0 && (
              <p dir="auto" className="wrap-anywhere line-clamp-3 text-quiet text-small">
                {examples.map((example) => `“${example}”`).join(', ')}
                {count > examples.length && ' …'}
              </p>
            )}
          </div>
        </li>
      )}
    </Folded>
  )
}

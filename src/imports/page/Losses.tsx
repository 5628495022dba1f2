import { numberText } from '../basics'
import type { Loss } from '../schema'
import { Folded } from './Folded'

export const Losses = ({ losses, label }: { losses: Loss[]; label: string }) => (
  <Folded of={losses} label={label}>
    {({ what, count, examples }) => (
      <li key={what} className="flex items-baseline gap-3 py-2.5">
        <div className="min-w-0 flex-1">
          <p className="text-pretty first-letter:uppercase">{what}</p>
          {examples.length > 0 && (
            <p dir="auto" className="wrap-anywhere line-clamp-3 text-quiet text-small">
              {examples.map((example) => `“${example}”`).join(', ')}
              {count > examples.length && ' …'}
            </p>
          )}
        </div>
        <span className="tabular shrink-0 font-strong">{numberText(count)}</span>
      </li>
    )}
  </Folded>
)

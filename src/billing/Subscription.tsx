import { Link } from '@tanstack/react-router'
import type { OwnUser } from '../users/inputs'
import { Button } from '../web/ui/Button'
import { PRO_PRICE } from './inputs'

const PLANS: [feature: string, free: string, pro: string][] = [
  ['Boards', '1', 'Unlimited'],
  ['Tasks per board', 'Unlimited', 'Unlimited'],
  ['Collaborators', 'Unlimited', 'Unlimited'],
  ['Real-time updates', 'Yes', 'Yes'],
  ['Support', 'E-mail, within 72 hours', 'Priority: fast e-mail replies and dedicated video help'],
]

/** The tab "Subscription": the plan, and how the two compare (product.md, section 1). */
export const Subscription = ({ user }: { user: OwnUser }) => (
  <>
    <header className="flex flex-wrap items-center justify-between gap-3">
      <div className="flex flex-col gap-0.5">
        <p className="text-quiet">Current plan</p>
        <h1 className="flex items-center gap-2 font-strong text-title">
          {user.isPro ? 'Pro Plan' : 'Free Plan'}
          {user.isPro && (
            <span className="rounded-card bg-column px-1.5 py-0.5 font-strong text-small ring-1 ring-line ring-inset">
              Active
            </span>
          )}
        </h1>
      </div>
      {!user.isPro && (
        <Button asChild look="primary">
          <Link to="/subscribe">Upgrade to Pro</Link>
        </Button>
      )}
    </header>
    <table className="w-full table-fixed text-left">
      <caption className="sr-only">What the plans hold</caption>
      <thead>
        <tr className="border-line border-b">
          <th scope="col" className="py-2 pr-2 font-normal text-quiet">
            Feature
          </th>
          <th scope="col" className="px-2 py-2 font-strong">
            Free
          </th>
          <th scope="col" className="px-2 py-2 font-strong">
            Pro <span className="whitespace-nowrap font-normal text-quiet text-small">{PRO_PRICE}/month</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {PLANS.map(([feature, free, pro]) => (
          <tr key={feature} className="border-line border-b align-top last:border-b-0">
            <th scope="row" className="break-words py-2.5 pr-2 font-normal text-quiet">
              {feature}
            </th>
            <td className="break-words px-2 py-2.5">{free}</td>
            <td className="break-words px-2 py-2.5">{pro}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
)

import { PRO_PRICE } from '../schema'

const PLANS: [feature: string, free: string, pro: string][] = [
  ['Boards', '1', 'Unlimited'],
  ['Tasks per board', 'Unlimited', 'Unlimited'],
  ['Collaborators', 'Unlimited', 'Unlimited'],
  ['Real-time updates', 'Yes', 'Yes'],
  ['Support', 'E-mail, within 72 hours', 'Priority: fast e-mail replies and dedicated video help'],
]

export const Comparison = () => (
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
)

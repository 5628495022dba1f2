import { Check } from 'lucide-react'

const OF_PRO = ['Unlimited boards', 'Unlimited tasks per board', 'Unlimited collaborators']

export const Benefits = ({ short = false }) => (
  <ul className="flex flex-col gap-2">
    {[...OF_PRO, ...(short ? ['Priority support'] : IN_FULL)].map((benefit) => (
      <li key={benefit} className="flex gap-2">
        <Check className="mt-0.5 size-4 shrink-0 text-done" aria-hidden />
        {benefit}
      </li>
    ))}
  </ul>
)

const IN_FULL = ['Real-time collaboration', 'Priority support with ASAP e-mail replies and dedicated video help']

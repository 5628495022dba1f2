import { Link } from '@tanstack/react-router'
import Check from 'lucide-react/icons/check'
import type { ComponentProps } from 'react'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { PRO_PRICE } from '../schema'

type Props = { open: boolean; onOpenChange(open: boolean): void }

export const UpgradeDialog = ({ open, onOpenChange }: Props) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Upgrade to Pro"
    description="The Free plan includes 1 board. Upgrade to Pro to create as many as you need."
  >
    <p>
      <span className="font-strong text-title">{PRO_PRICE}</span> <span className="text-quiet">per month</span>
    </p>
    <Benefits short />
    <DialogButtons>
      <Button onClick={() => onOpenChange(false)}>Maybe Later</Button>
      <Button look="primary" asChild>
        <UpgradeLink>Upgrade Now</UpgradeLink>
      </Button>
    </DialogButtons>
  </Dialog>
)

type UpgradeLinkProps = Omit<ComponentProps<'a'>, 'href'>

/** A full load: only the upgrade page's security policy allows Stripe. */
export const UpgradeLink = (props: UpgradeLinkProps) => <Link to="/subscribe" reloadDocument {...props} />

const PRO_BENEFITS = ['Unlimited boards', 'Unlimited tasks per board', 'Unlimited collaborators']

export const Benefits = ({ short = false }) => (
  <ul className="flex flex-col gap-2">
    {[...PRO_BENEFITS, ...(short ? ['Priority support'] : MORE_BENEFITS)].map((benefit) => (
      <li key={benefit} className="flex gap-2">
        <Check className="mt-0.5 size-4 shrink-0 text-done" aria-hidden />
        {benefit}
      </li>
    ))}
  </ul>
)

const MORE_BENEFITS = ['Real-time collaboration', 'Priority support with ASAP e-mail replies and dedicated video help']

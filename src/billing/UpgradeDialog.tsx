import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { Button } from '../web/ui/Button'
import { Dialog, DialogButtons } from '../web/ui/Dialog'

const BENEFITS = ['Unlimited boards', 'Unlimited tasks per board', 'Unlimited collaborators', 'Priority support']

type Props = { open: boolean; onOpenChange(open: boolean): void }

export const UpgradeDialog = ({ open, onOpenChange }: Props) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Upgrade to Pro"
    description="The Free plan holds 1 board. Upgrade to Pro to create as many as you need."
  >
    <p>
      <span className="font-strong text-title">$10 CAD</span> <span className="text-quiet">per month</span>
    </p>
    <ul className="flex flex-col gap-2">
      {BENEFITS.map((benefit) => (
        <li key={benefit} className="flex items-center gap-2">
          <Check className="size-4 text-done" aria-hidden />
          {benefit}
        </li>
      ))}
    </ul>
    <DialogButtons>
      <Button onClick={() => onOpenChange(false)}>Maybe Later</Button>
      <Button look="primary" asChild>
        <Link to="/subscribe">Upgrade Now</Link>
      </Button>
    </DialogButtons>
  </Dialog>
)

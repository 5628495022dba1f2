import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { PRO_PRICE } from '../schema'
import { Benefits } from './Benefits'
import { UpgradeLink } from './UpgradeLink'

type Props = { open: boolean; onOpenChange(open: boolean): void }

export const UpgradeDialog = ({ open, onOpenChange }: Props) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Upgrade to Pro"
    description="The Free plan holds 1 board. Upgrade to Pro to create as many as you need."
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

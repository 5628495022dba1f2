import { Popover as Radix, Slot } from 'radix-ui'
import { type ReactElement, type ReactNode, useState } from 'react'
import { useEver } from '../useEver'

type Props = { trigger: ReactElement; open?: boolean; onOpenChange?(open: boolean): void; children: ReactNode }

/** Made when it is first opened: a page that begins has only its `trigger`, a button. */
export function Popover({ trigger, open: asked, onOpenChange, children }: Props) {
  const [own, setOwn] = useState(false)
  const open = asked ?? own
  const hasOpened = useEver(open)
  const change = (now: boolean) => {
    setOwn(now)
    onOpenChange?.(now)
  }
  if (!hasOpened) {
    return (
      <Slot.Root aria-haspopup="dialog" aria-expanded={false} onClick={() => change(true)}>
        {trigger}
      </Slot.Root>
    )
  }
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {children}
    </Radix.Root>
  )
}

import { type ReactNode, useState } from 'react'
import { useUnsent } from '../../web/live/pending'
import { useRefused } from '../../web/live/refused'
import { Confirm } from '../../web/ui/Confirm'
import { useLogout } from './cache'

type Props = { onLeave?(): void; onStay?(): void; children(logOut: () => void, busy: boolean): ReactNode }

/** Asks first where changes would be lost that this browser keeps. */
export function LogOut({ onLeave, onStay, children }: Props) {
  const logout = useLogout()
  const [asking, setAsking] = useState(false)
  const [unsent, refused] = [useUnsent(), useRefused().length]
  const lost = unsent + refused
  const leave = () => {
    onLeave?.()
    logout.mutate(undefined, { onError: () => onStay?.(), onSettled: () => setAsking(false) })
  }
  return (
    <>
      {children(() => (lost > 0 ? setAsking(true) : leave()), logout.isPending)}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Log out and lose changes?"
        text={`${lost === 1 ? 'One change is' : `${lost} changes are`} not saved yet, and would be lost. They are sent as soon as there is a connection.`}
        action="Log out"
        keep="Stay"
        busy={logout.isPending}
        onConfirm={leave}
      />
    </>
  )
}

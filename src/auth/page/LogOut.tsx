import { type ReactNode, useState } from 'react'
import { useLate, useRefused } from '../../web/live/pendingChanges'
import { keptElsewhere } from '../../web/live/storedChanges'
import { Confirm } from '../../web/ui/Confirm'
import { useLogout } from './cache'

type Props = {
  /** Called once the storage is empty, to keep where the next sign-in should lead. */
  onLeft?(): void
  children(logOut: () => void, busy: boolean): ReactNode
}

export function LogOut({ onLeft, children }: Props) {
  const logout = useLogout(onLeft)
  const [asking, setAsking] = useState(false)
  const [unsent, refused] = [useLate(), useRefused().length]
  const [elsewhere, setElsewhere] = useState(0)
  const lost = unsent + refused + elsewhere
  // Saved meanwhile.
  if (asking && lost === 0) setAsking(false)
  const leave = () => logout.mutate(undefined, { onSettled: () => setAsking(false) })
  const ask = async () => {
    const others = await keptElsewhere().catch(() => 0)
    setElsewhere(others)
    if (unsent + refused + others > 0) setAsking(true)
    else leave()
  }
  return (
    <>
      {children(() => void ask(), logout.isPending)}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Log out and lose changes?"
        text={`${lost === 1 ? 'One change is' : `${lost} changes are`} not saved yet and will be lost if you log out now. ${unsent + elsewhere > 0 ? 'Wait until you are back online to keep your work.' : 'To keep what you typed, stay and copy it before you log out.'}`}
        action="Log Out"
        cancel="Stay"
        busy={logout.isPending}
        onConfirm={leave}
      />
    </>
  )
}

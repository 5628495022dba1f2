import { reserveRoom } from '../../web/ui/reserveRoom'
import { useCooldown } from '../../web/useCooldown'
import { useConfirmEmail, useServerOptions, useViewer } from './cache'
import { SEND_AGAIN, UnconfirmedLine } from './UnconfirmedLine'

const COOLDOWN = 60_000
const room = reserveRoom('--banner-room')

export function UnconfirmedEmail() {
  const { email, emailVerified } = useViewer()
  const options = useServerOptions()
  // Without mailed links only the provider can confirm it.
  return emailVerified || options?.passwords === false ? null : <Line email={email} />
}

function Line({ email }: { email: string }) {
  const cooldown = useCooldown(COOLDOWN)
  const sending = useConfirmEmail({ sent: cooldown.start })
  const rests = sending.isPending || cooldown.active
  return (
    <UnconfirmedLine ref={room} email={email}>
      <button
        type="button"
        // Not disabled, which would drop the focus.
        aria-disabled={rests}
        onClick={() => rests || sending.mutate()}
        className={SEND_AGAIN}
      >
        {cooldown.active ? 'Sent' : 'Send it again'}
      </button>
    </UnconfirmedLine>
  )
}

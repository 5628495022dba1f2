import { useViewer } from '../../users/page/viewer'
import { useCooldown } from '../../web/useCall'
import { useConfirmEmail, useServerOptions } from './cache'
import { SEND_AGAIN_LOOK, UnconfirmedLine } from './UnconfirmedLine'

const COOLDOWN = 60_000

export function UnconfirmedEmail() {
  const { email, emailVerified } = useViewer()
  const options = useServerOptions()
  // Without passwords only the provider can confirm it.
  return emailVerified || options?.passwords === false ? null : <Line email={email} />
}

function Line({ email }: { email: string }) {
  const cooldown = useCooldown(COOLDOWN)
  const sending = useConfirmEmail({ sent: cooldown.start })
  const rests = sending.isPending || cooldown.active
  return (
    <UnconfirmedLine email={email}>
      <button
        type="button"
        // Disabling would drop the focus.
        aria-disabled={rests}
        onClick={() => rests || sending.mutate()}
        className={SEND_AGAIN_LOOK}
      >
        {cooldown.active ? 'Sent' : 'Send it again'}
      </button>
    </UnconfirmedLine>
  )
}

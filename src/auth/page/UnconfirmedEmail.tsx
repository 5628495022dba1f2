import { useCooldown } from '../../web/useCooldown'
import { useConfirmEmail, useServerOptions, useViewer } from './cache'

const COOLDOWN = 60_000

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
    <section
      aria-label="Your e-mail is not confirmed"
      className="shrink-0 text-pretty border-line border-b px-4 py-2 text-quiet text-small sm:px-6"
    >
      Please confirm <bdi className="wrap-anywhere text-text">{email}</bdi> by a link that we mail there. Until then, nobody can
      add you to a board by it, and no notifications are mailed.{' '}
      <button
        type="button"
        // Not disabled, which would drop the focus.
        aria-disabled={rests}
        onClick={() => rests || sending.mutate()}
        className="whitespace-nowrap rounded-card font-strong text-text underline underline-offset-4 aria-disabled:cursor-default aria-disabled:text-quiet aria-disabled:no-underline"
      >
        {cooldown.active ? 'Sent' : 'Send it again'}
      </button>
    </section>
  )
}

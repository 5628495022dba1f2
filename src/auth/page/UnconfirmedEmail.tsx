import { useCooldown } from '../../web/useCooldown'
import { useConfirmEmail, useViewer } from './cache'

const COOLDOWN = 60_000

export function UnconfirmedEmail() {
  const { email, emailVerified } = useViewer()
  return emailVerified ? null : <Line email={email} />
}

function Line({ email }: { email: string }) {
  const cooldown = useCooldown(COOLDOWN)
  const sending = useConfirmEmail({ sent: cooldown.start })
  return (
    <section
      aria-label="Your e-mail is not confirmed"
      className="shrink-0 text-pretty border-line border-b px-4 py-2 text-quiet text-small sm:px-6"
    >
      Please confirm <bdi className="wrap-anywhere text-text">{email}</bdi> by a link that we mail there. Until then, nobody can
      add you to a board by it, and it gets no notifications.{' '}
      <button
        type="button"
        disabled={sending.isPending || cooldown.active}
        onClick={() => sending.mutate()}
        className="whitespace-nowrap rounded-card font-strong text-text not-disabled:underline underline-offset-4 disabled:text-quiet"
      >
        {cooldown.active ? 'Sent' : 'Send it again'}
      </button>
    </section>
  )
}

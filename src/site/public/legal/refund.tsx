import type { ReactNode } from 'react'
import type { LegalText } from '../LegalPage'

export const refund = (contact: ReactNode): LegalText => ({
  title: 'Refund Policy',
  summary: 'Subscriptions are not refunded. You can cancel at any time and keep Pro for the time you have paid for.',
  sections: [
    {
      title: 'Strict no-refund policy',
      body: (
        <>
          <p>
            A strict no-refund policy applies to all subscriptions. Once a payment is made, it is final, whether or not the
            service was used in that billing period.
          </p>
          <p>If the law gives you a right to a refund that cannot be waived, this policy does not affect it.</p>
        </>
      ),
    },
    {
      title: 'No partial refunds',
      body: (
        <p>
          There are no partial refunds or credits for the rest of a billing period, for boards that were not used, or for a
          subscription that was not cancelled before it renewed.
        </p>
      ),
    },
    {
      title: 'Cancelling',
      body: (
        <p>
          You can cancel your subscription at any time. It is not charged again, and Pro stays active until the end of the billing
          period you have paid for. Until then you can resume it.
        </p>
      ),
    },
    {
      title: 'After a subscription ends',
      body: (
        <>
          <p>
            The account reverts to the Free plan with one board: the first board that you created. It keeps unlimited tasks and
            collaborators.
          </p>
          <p>
            Your extra boards are kept, but they are read-only until you upgrade again. Boards that others created and share with
            you are not affected.
          </p>
        </>
      ),
    },
    {
      title: 'Before you subscribe',
      body: (
        <p>
          The Free plan costs nothing and has no end date, so you can try wrk for as long as you like before you subscribe. The
          price and the billing are described in our <a href="/terms">terms of service</a>.
        </p>
      ),
    },
    {
      title: 'Contact',
      body: <p>If you believe that a charge is wrong, or have a question about this policy, write to {contact}.</p>,
    },
  ],
})

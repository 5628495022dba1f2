import type { ReactNode } from 'react'

export const SEND_AGAIN_LOOK =
  'whitespace-nowrap rounded-card font-strong text-text underline underline-offset-4 aria-disabled:cursor-default aria-disabled:text-quiet aria-disabled:no-underline'

export const UnconfirmedLine = ({ email, children }: { email: string; children: ReactNode }) => (
  <section
    aria-label="Your email is not confirmed"
    className="shrink-0 text-pretty border-line border-b px-4 py-2 text-quiet text-small sm:px-6"
  >
    Please confirm <bdi className="wrap-anywhere text-text">{email}</bdi> with the link we emailed you. Until then, nobody can use
    this address to add you to a board, and you won’t get email notifications. {children}
  </section>
)

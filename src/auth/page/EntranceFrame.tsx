import type { ReactNode } from 'react'
import { Logo } from '../../web/ui/Logo'
import { PublicFooter } from '../../web/ui/PublicFrame'

export const EntranceFrame = ({
  title,
  supportEmail,
  children,
}: {
  title: string
  supportEmail: string
  children: ReactNode
}) => (
  <div className="grid min-h-full grid-cols-[minmax(0,1fr)] lg:grid-cols-2">
    <title>{title}</title>
    <Poster />
    <div className="flex flex-col gap-10 px-6 pt-6 sm:px-12">
      <header className="lg:hidden">
        <HomeLink />
      </header>
      <main className="mx-auto flex w-full max-w-sm flex-1 flex-col gap-6 sm:pt-[8vh]">{children}</main>
      <PublicFooter supportEmail={supportEmail} />
    </div>
  </div>
)

const HomeLink = () => (
  <a href="/" aria-label="wrk, to the front page" className="self-start rounded-card">
    <Logo />
  </a>
)

const Poster = () => (
  <aside className="sticky top-0 hidden h-dvh flex-col justify-between bg-column p-12 lg:flex">
    <HomeLink />
    <p aria-hidden className="font-strong text-[clamp(5rem,11vw,11rem)] leading-[0.86] tracking-[-0.03em]">
      wrk
      <br />
      smart<span className="text-accent">.</span>
    </p>
  </aside>
)

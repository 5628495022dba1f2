import type { ReactNode } from 'react'
import { REGISTER } from '../../auth/limits'
import { PRO_PRICE } from '../../billing/schema'
import { Button } from '../../web/ui/Button'
import { PublicFrame, Smart } from '../../web/ui/PublicFrame'
import type { Site } from '../paths'
import { Face, Vignette } from './Vignette'

export const Landing = ({ site }: { site: Site }) => (
  <PublicFrame {...site}>
    <main>
      <Hero {...site} />
      <Vignette />
      <Features />
      <Closing {...site} />
    </main>
  </PublicFrame>
)

const Hero = ({ mayRegister }: Site) => (
  <section className="grid gap-3 pt-8 pb-10 sm:grid-cols-3 sm:pt-10">
    {/* Only the heading is in the container: Chromium sometimes fades in a button that is in one while the styles load. */}
    <div className="@container sm:col-span-3">
      <h1 className="-ml-[0.03em] whitespace-nowrap pb-5 font-strong text-[calc(100cqw/2.87)] leading-[0.84] tracking-display sm:text-[calc(100cqw/4.82)]">
        wrk <br className="sm:hidden" />
        <Smart />
      </h1>
    </div>
    <p className="max-w-[36ch] text-pretty pb-4 text-quiet text-title sm:col-span-2 sm:pb-0">
      The Canadian collaboration platform for teams and freelancers who would rather finish than file.
    </p>
    <Button asChild look="primary" className="justify-self-start sm:self-end">
      {mayRegister ? <a href={REGISTER}>Get Started</a> : <a href="/login">Log in</a>}
    </Button>
  </section>
)

const Closing = ({ mayRegister, hasPlans }: Site) => (
  <section className="grid gap-3 border-line border-t py-16 sm:grid-cols-3 sm:py-24">
    <h2 className="max-w-[16ch] text-balance pb-3 font-strong text-display tracking-display sm:col-span-2">
      {hasPlans ? 'Your first board costs nothing.' : 'Begin with a board.'}
    </h2>
    <div className="flex flex-col items-start gap-6 sm:justify-between">
      <p className="max-w-[40ch] text-pretty text-quiet">
        As many tasks and people on it as you like.{' '}
        {hasPlans && (
          <>
            When you need more boards, Pro removes the limit for <span className="whitespace-nowrap">{PRO_PRICE} a month</span>.
          </>
        )}
      </p>
      <Button asChild look="primary">
        {mayRegister ? <a href={REGISTER}>{hasPlans ? 'Start for free' : 'Get Started'}</a> : <a href="/login">Log in</a>}
      </Button>
    </div>
  </section>
)

const FEATURES: { title: string; text: string; sign: ReactNode }[] = [
  {
    title: 'Organize Tasks',
    text: 'Three columns of tasks in the order you choose, with people, dates and files where you need them.',
    sign: (
      <span className="flex w-24 gap-1">
        <span className="h-1 flex-1 rounded-full bg-todo" />
        <span className="h-1 flex-1 rounded-full bg-inprogress" />
        <span className="h-1 flex-1 rounded-full bg-done" />
      </span>
    ),
  },
  {
    title: 'Collaborate Seamlessly',
    text: 'Invite as many people as the work needs. Everyone on the board sees every change as it happens; there is nothing to refresh.',
    sign: (
      <span className="flex -space-x-0.5">
        <Face who="maya" />
        <Face who="jo" />
        <Face who="rik" />
        <Face who="alma" />
      </span>
    ),
  },
  {
    title: 'Track Your Time',
    text: 'Put the hours on the task they went into. At the end of the month they are already added up, ready to filter and export.',
    sign: (
      <span className="tabular font-strong text-title">
        11<span className="font-normal text-quiet">h</span> 5<span className="font-normal text-quiet">m</span>
      </span>
    ),
  },
]

const Features = () => (
  <section aria-label="What it does" className="grid gap-x-3 gap-y-12 py-16 sm:grid-cols-3 sm:py-24">
    {FEATURES.map(({ title, text, sign }) => (
      <article key={title} className="flex flex-col gap-2 sm:pr-6">
        <div aria-hidden className="flex h-10 items-center">
          {sign}
        </div>
        <h2 className="font-strong text-title">{title}</h2>
        <p className="max-w-[40ch] text-pretty text-quiet">{text}</p>
      </article>
    ))}
  </section>
)

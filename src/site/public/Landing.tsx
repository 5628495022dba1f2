import Clock from 'lucide-react/icons/clock'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import type { ReactNode } from 'react'
import { REGISTER } from '../../auth/limits'
import { PRO_PRICE } from '../../billing/schema'
import { Initials } from '../../users/page/Avatar'
import { DEFAULT_AVATAR } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { PublicFrame, Smart } from '../../web/ui/PublicFrame'
import type { Site } from '../paths'

const Vignette = () => (
  <figure className="vignette relative">
    <div
      role="img"
      aria-label="A board with three columns, To Do, In Progress and Done. Jo moves the card “Proof the cover” from one column to the next."
      className="grid h-104 select-none grid-cols-2 gap-3 overflow-y-clip mask-b-from-65% sm:grid-cols-3"
    >
      <Column name="To Do" dot="bg-todo" count={<Count before={5} after={4} />}>
        <div className="relative z-10 h-(--card)">
          <CarriedCard />
        </div>
        <div className="vignette-close flex flex-col gap-2">
          <Card title="Paper samples" strip="bg-todo" people={['alma']} due="Dec 3" />
          <Card title="Price list, French" strip="bg-todo" people={['jo', 'rik']} due="Dec 4" time="0h 20m" />
          <Card title="Book the studio" strip="bg-todo" people={['maya']} due="Dec 9" />
          <Card title="Write the index" strip="bg-todo" people={['sam']} due="Dec 12" />
        </div>
      </Column>
      <Column name="In Progress" dot="bg-inprogress" count={<Count before={3} after={4} />}>
        <div className="vignette-open flex flex-col gap-2">
          <Card title="Lay out spreads" strip="bg-inprogress" people={['rik', 'sam']} due="Nov 28" time="11h 5m" />
          <Card title="Ask the printer" strip="bg-inprogress" people={['jo']} due="Nov 29" time="0h 45m" />
          <Card title="Retouch photos" strip="bg-inprogress" people={['alma']} due="Dec 2" time="6h 30m" />
        </div>
      </Column>
      <Column name="Done" dot="bg-done" count="28" className="max-sm:hidden">
        <Card title="Pick the typeface" strip="bg-done" people={['sam']} due="Nov 14" time="2h 15m" />
        <Card title="Count the pages" strip="bg-done" people={['maya', 'jo']} due="Nov 12" time="0h 45m" />
        <Card title="Last year’s numbers" strip="bg-done" people={['alma']} due="Nov 10" time="1h 30m" />
        <Card title="Hire a translator" strip="bg-done" people={['rik']} due="Nov 6" time="3h 10m" />
      </Column>
    </div>
    <label
      title="Pause the animation"
      className="absolute right-0 bottom-0 grid size-8 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text has-focus-visible:outline-2 has-focus-visible:outline-text has-focus-visible:outline-offset-2 motion-reduce:hidden"
    >
      <input type="checkbox" aria-label="Pause the animation" className="peer absolute inset-0 cursor-pointer opacity-0" />
      <Pause className="size-4 peer-checked:hidden" aria-hidden />
      <Play className="hidden size-4 peer-checked:block" aria-hidden />
    </label>
  </figure>
)

type ColumnProps = { name: string; dot: string; count: ReactNode; className?: string; children: ReactNode }

const Column = ({ name, dot, count, className = '', children }: ColumnProps) => (
  <div className={`flex min-w-0 flex-col gap-2 rounded-panel bg-column p-2 first:z-10 ${className}`}>
    <div className="flex items-center gap-2 px-3 py-1">
      <span className={`size-2 rounded-full ${dot}`} />
      <span className="truncate font-strong">{name}</span>
      <span className="tabular text-quiet">{count}</span>
    </div>
    {children}
  </div>
)

const Count = ({ before, after }: { before: number; after: number }) => (
  <span className="grid">
    <span className="vignette-before col-start-1 row-start-1">{before}</span>
    <span className="vignette-after col-start-1 row-start-1">{after}</span>
  </span>
)

type CardProps = { title: string; strip: string; people: Person[]; due: string; time?: string }

const Card = ({ title, strip, people, due, time }: CardProps) => (
  <div className="relative flex flex-col gap-3 overflow-hidden rounded-card bg-surface p-3 pt-4 shadow-card">
    <span className={`absolute inset-x-0 top-0 h-[3px] ${strip}`} />
    <span className="truncate font-strong">{title}</span>
    <CardDetails people={people} due={due} time={time} />
  </div>
)

const CardDetails = ({ people, due, time, pressing }: Pick<CardProps, 'people' | 'due' | 'time'> & { pressing?: boolean }) => (
  <span className="tabular flex items-center gap-3 text-quiet text-small">
    <span className="flex gap-0.5">
      {people.map((who) => (
        <Face key={who} who={who} />
      ))}
    </span>
    <span className={`whitespace-nowrap ${pressing ? 'font-strong text-text' : ''}`}>{due}</span>
    {time && (
      <span className="flex items-center gap-1 max-sm:hidden">
        <Clock className="size-3.5" aria-hidden />
        {time}
      </span>
    )}
  </span>
)

const CarriedCard = () => (
  <div className="vignette-card absolute inset-0 rounded-card">
    <div className="relative flex size-full flex-col gap-1 overflow-hidden rounded-card bg-surface p-3 pt-4">
      <span className="vignette-strip absolute inset-x-0 top-0 h-[3px]" />
      <span className="truncate font-strong">Proof the cover</span>
      <span className="line-clamp-2 text-quiet text-small">Check the reds against the swatch.</span>
      <span className="mt-auto">
        <CardDetails people={['maya']} due="Nov 27" time="3h 40m" pressing />
      </span>
    </div>
    <Cursor name="Jo" />
  </div>
)

const Cursor = ({ name }: { name: string }) => (
  <span className="vignette-hand absolute right-4 -bottom-5 flex origin-top-left items-start">
    <svg viewBox="0 0 12 14" className="size-3.5 text-text" aria-hidden="true">
      <path d="M0 0l12 7.2-5.4 1.2L3.6 14z" fill="currentColor" />
    </svg>
    <span className="mt-2 rounded-card bg-text px-2 py-0.5 font-strong text-inverse text-small">{name}</span>
  </span>
)

const PEOPLE = {
  jo: { id: 8, name: 'Jo Okafor' },
  maya: { id: 1, name: 'Maya Tremblay' },
  rik: { id: 2, name: 'Rik Kowalski' },
  alma: { id: 3, name: 'Alma Lind' },
  sam: { id: 4, name: 'Sam Bouchard' },
}
type Person = keyof typeof PEOPLE

const Face = ({ who }: { who: Person }) => <Initials user={{ ...PEOPLE[who], username: who, avatar: DEFAULT_AVATAR }} />

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
    <Button asChild look="primary" size="large" className="justify-self-start sm:self-end">
      {mayRegister ? <a href={REGISTER}>Get Started</a> : <a href="/login">Log in</a>}
    </Button>
  </section>
)

const Closing = ({ mayRegister, hasPlans }: Site) => (
  <section className="grid gap-3 border-line border-t py-16 sm:grid-cols-3 sm:py-24">
    <h2 className="max-w-[16ch] text-balance pb-3 font-strong text-display tracking-display sm:col-span-2">
      {hasPlans ? 'Your first board is free.' : 'Begin with a board.'}
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
      <Button asChild look="primary" size="large">
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
      <span className="flex gap-0.5">
        <Face who="maya" />
        <Face who="jo" />
        <Face who="rik" />
        <Face who="alma" />
      </span>
    ),
  },
  {
    title: 'Track Your Time',
    text: 'Log the hours on the task they went into. At the end of the month they are already added up, ready to filter and export.',
    sign: (
      <span className="tabular font-strong text-title">
        11<span className="font-normal text-quiet">h</span> 5<span className="font-normal text-quiet">m</span>
      </span>
    ),
  },
]

const Features = () => (
  <section aria-label="What it does" className="grid gap-x-3 gap-y-12 py-16 sm:grid-cols-3 sm:gap-y-2 sm:py-24">
    {FEATURES.map(({ title, text, sign }) => (
      <article key={title} className="flex flex-col gap-2 sm:row-span-3 sm:grid sm:grid-rows-subgrid sm:pr-6">
        <div aria-hidden className="flex h-10 items-center">
          {sign}
        </div>
        <h2 className="font-strong text-title">{title}</h2>
        <p className="max-w-[40ch] text-pretty text-quiet">{text}</p>
      </article>
    ))}
  </section>
)

import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import type { ReactNode } from 'react'
import { Initials } from '../../users/page/Avatar'
import { DEFAULT_AVATAR } from '../../users/schema'

export const Vignette = () => (
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
    <div className="flex items-center gap-2 px-2 py-1">
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
    <span className="flex -space-x-0.5">
      {people.map((who) => (
        <Face key={who} who={who} />
      ))}
    </span>
    <span className={`whitespace-nowrap ${pressing ? 'font-strong text-text' : ''}`}>{due}</span>
    {time && <span className="max-sm:hidden">{time}</span>}
  </span>
)

const CarriedCard = () => (
  <div className="vignette-card absolute inset-0 rounded-card">
    <div className="relative flex size-full flex-col gap-1 overflow-hidden rounded-card bg-surface p-3 pt-4">
      <span className="vignette-strip absolute inset-x-0 top-0 h-[3px]" />
      <span className="truncate font-strong">Proof the cover</span>
      <span className="line-clamp-2 text-quiet text-small">Check the reds against the swatch.</span>
      <span className="mt-auto">
        <CardDetails people={['maya']} due="Today" time="3h 40m" pressing />
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
export type Person = keyof typeof PEOPLE

export const Face = ({ who }: { who: Person }) => (
  <Initials user={{ ...PEOPLE[who], username: who, avatar: DEFAULT_AVATAR }} className="ring-2 ring-surface" />
)

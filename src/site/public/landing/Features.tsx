import type { ReactNode } from 'react'
import { Face } from './Face'

const FEATURES: { title: string; text: string; sign: ReactNode }[] = [
  {
    title: 'Organize Tasks',
    text: 'Three columns, in the order you choose, with people, dates and files where you need them.',
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
    text: 'Put the hours on the task they went into. At month’s end they are added up already, to filter and to export.',
    sign: (
      <span className="tabular font-strong text-title">
        11<span className="font-normal text-quiet">h</span> 05<span className="font-normal text-quiet">m</span>
      </span>
    ),
  },
]

export const Features = () => (
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

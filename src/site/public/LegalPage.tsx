import type { ReactNode } from 'react'
import { Button } from '../../web/ui/Button'
import { PublicFrame } from '../../web/ui/PublicFrame'
import type { Site } from '../paths'

type Props = { text: LegalText; site: Site }

export const LegalPage = ({ text: { title, summary, sections }, site }: Props) => (
  <PublicFrame {...site}>
    <main className="grid gap-x-16 gap-y-10 pt-10 pb-16 sm:pt-16 lg:grid-cols-[1fr_2fr]">
      <div className="flex flex-col items-start gap-4 lg:sticky lg:top-10 lg:self-start">
        <h1 className="text-balance font-strong text-display tracking-display">{title}</h1>
        <p className="text-quiet">Last Updated: March 25, 2025</p>
        <p className="max-w-[44ch] text-pretty text-quiet">{summary}</p>
        <Button asChild className="mt-2">
          <a href="/">Return to Home</a>
        </Button>
      </div>
      <ol className="flex flex-col">
        {sections.map(({ title, body }, index) => (
          <li key={title} className="flex flex-col gap-3 border-line border-t py-8 first:border-t-0 lg:first:pt-2">
            <h2 className="flex gap-3 font-strong text-title">
              <span className="tabular w-8 max-sm:w-auto shrink-0 font-normal text-quiet">{index + 1}</span>
              {title}
            </h2>
            <div className="flex max-w-[68ch] flex-col gap-3 text-pretty leading-6 sm:pl-11 [&_a:hover]:text-accent [&_a]:underline [&_a]:underline-offset-2 [&_li]:pl-1 [&_ul]:flex [&_ul]:list-disc [&_ul]:flex-col [&_ul]:gap-1.5 [&_ul]:pl-4">
              {body}
            </div>
          </li>
        ))}
      </ol>
    </main>
  </PublicFrame>
)

export type LegalText = { title: string; summary: string; sections: Section[] }

/** `ofPlans` ones are left out on a server without plans. */
type Section = { title: string; body: ReactNode; ofPlans?: boolean }

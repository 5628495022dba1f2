import type { ReactNode } from 'react'

type Props = { title: string; text?: ReactNode; children: ReactNode }

export const Section = ({ title, text, children }: Props) => (
  <section aria-label={title} className="flex flex-col gap-3 border-line border-t pt-6">
    <div className="flex flex-col gap-0.5">
      <h2 className="font-strong">{title}</h2>
      {text && <p className="text-pretty text-quiet">{text}</p>}
    </div>
    {children}
  </section>
)

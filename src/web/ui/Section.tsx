import type { ReactNode } from 'react'

type HeaderProps = { title: ReactNode; text?: ReactNode; children?: ReactNode }

export const PageHeader = ({ title, text, children }: HeaderProps) => (
  <header className="flex flex-wrap items-start justify-between gap-4">
    <div className="flex min-w-0 flex-1 basis-48 flex-col gap-1">
      {title}
      {text}
    </div>
    {children && <div className="dense-header flex gap-2">{children}</div>}
  </header>
)

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

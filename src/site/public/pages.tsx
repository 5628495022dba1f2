import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Site } from '../pageRoutes'
import { Landing } from './Landing'
import { LegalPage } from './LegalPage'
import type { LegalText } from './legal/LegalText'
import { privacy } from './legal/privacy'
import { refund } from './legal/refund'
import { terms } from './legal/terms'

type PublicPage = { title: string; description: string; body: ReactNode }

export function renderPages(template: string, site: Site): Map<string, string> {
  return new Map(Object.entries(pagesOf(site)).map(([path, page]) => [path, render(template, site.origin + path, page, site)]))
}

const pagesOf = ({ supportEmail }: Site): Record<string, PublicPage> => ({
  '/': {
    title: 'wrk smart. · wrk',
    description:
      'The Canadian collaboration platform for teams and freelancers: shared task boards that update live, with time tracking. Your first board is free.',
    body: <Landing supportEmail={supportEmail} />,
  },
  '/terms': legal(terms, supportEmail),
  '/privacy': legal(privacy, supportEmail),
  '/refund': legal(refund, supportEmail),
})

function legal(write: (contact: ReactNode) => LegalText, supportEmail: string): PublicPage {
  const text = write(<a href={`mailto:${supportEmail}`}>{supportEmail}</a>)
  return {
    title: `${text.title} · wrk`,
    description: text.summary,
    body: <LegalPage text={text} supportEmail={supportEmail} />,
  }
}

function render(template: string, address: string, { title, description, body }: PublicPage, { origin }: Site): string {
  const head = (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="wrk" />
      <meta property="og:locale" content="en_CA" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={`${origin}/images/wrk-smart.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="wrk smart." />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
  return template
    .replace('<title>wrk</title>', () => renderToStaticMarkup(head))
    .replace('<div id="root"></div>', () => `<div id="root">${renderToStaticMarkup(body)}</div>`)
}

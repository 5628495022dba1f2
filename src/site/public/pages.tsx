import type { ReactNode } from 'react'
import { ABOUT } from '../Document'
import type { PublicPath, Site } from '../paths'
import { Landing } from './Landing'
import { LegalPage, type LegalText } from './LegalPage'
import { privacy } from './legal/privacy'
import { refund } from './legal/refund'
import { terms } from './legal/terms'

type PublicPage = { head: ReactNode; description: string; body: ReactNode }

export const publicPages = (site: Site): Record<PublicPath, PublicPage> => ({
  '/': {
    ...metadata('wrk smart. · wrk', site.hasPlans ? `${ABOUT} Your first board is free.` : ABOUT, site, '/'),
    body: <Landing site={site} />,
  },
  '/terms': legal(terms, site, '/terms'),
  '/privacy': legal(privacy, site, '/privacy'),
  '/refund': legal(refund, site, '/refund'),
})

function legal(write: (contact: ReactNode, hasPlans: boolean) => LegalText, site: Site, path: string): PublicPage {
  const { supportEmail, hasPlans } = site
  const text = write(
    supportEmail === null ? 'this server’s operator' : <a href={`mailto:${supportEmail}`}>{supportEmail}</a>,
    hasPlans,
  )
  const sections = text.sections.filter(({ ofPlans }) => hasPlans || !ofPlans)
  return {
    ...metadata(`${text.title} · wrk`, text.summary, site, path),
    body: <LegalPage text={{ ...text, sections }} site={site} />,
  }
}

const metadata = (title: string, description: string, { origin }: Site, path: string) => ({
  description,
  head: (
    <>
      <title>{title}</title>
      <link rel="canonical" href={origin + path} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="wrk" />
      <meta property="og:locale" content="en_CA" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={origin + path} />
      <meta property="og:image" content={`${origin}/images/wrk-smart.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="wrk smart." />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  ),
})

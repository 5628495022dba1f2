import type { ReactNode } from 'react'
import type { PublicPath, Site } from '../addresses'
import { Landing } from './Landing'
import { LegalPage } from './LegalPage'
import type { LegalText } from './legal/LegalText'
import { privacy } from './legal/privacy'
import { refund } from './legal/refund'
import { terms } from './legal/terms'

type PublicPage = { head: ReactNode; body: ReactNode }

export const publicPages = (site: Site): Record<PublicPath, PublicPage> => ({
  '/': {
    head: (
      <Head
        title="wrk smart. · wrk"
        description="The Canadian collaboration platform for teams and freelancers: shared task boards that update live, with time tracking. Your first board is free."
        site={site}
        path="/"
      />
    ),
    body: <Landing site={site} />,
  },
  '/terms': legal(terms, site, '/terms'),
  '/privacy': legal(privacy, site, '/privacy'),
  '/refund': legal(refund, site, '/refund'),
})

function legal(write: (contact: ReactNode) => LegalText, site: Site, path: string): PublicPage {
  const text = write(<a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>)
  return {
    head: <Head title={`${text.title} · wrk`} description={text.summary} site={site} path={path} />,
    body: <LegalPage text={text} site={site} />,
  }
}

type HeadProps = { title: string; description: string; site: Site; path: string }

const Head = ({ title, description, site: { origin }, path }: HeadProps) => (
  <>
    <title>{title}</title>
    <meta name="description" content={description} />
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
)

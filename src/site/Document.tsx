import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** Addresses: `modules` are the scripts that `script` loads first. */
export type Assets = { styles: string; font?: string; script: string; modules: string[]; development?: ReactNode }

type Props = {
  /** Empty for the system's theme. */
  theme: string
  assets: Assets
  head?: ReactNode
  description?: string
  /** HTML inside the element that React renders into. */
  root: string
  /** Whether that has contents, which are painted before app/main.ts loads the modules. */
  hasContents?: boolean
  /** Data for scripts, by element id. */
  data?: Record<string, unknown>
}

export const renderDocument = (props: Props): string => `<!doctype html>${renderToStaticMarkup(<Document {...props} />)}`

const Document = ({ theme, assets, head, description = `wrk smart. ${ABOUT}`, root, hasContents, data = {} }: Props) => (
  <html lang="en" data-theme={theme || undefined}>
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="theme-color" content="#f6f5f2" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#141312" media="(prefers-color-scheme: dark)" />
      <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
      <link rel="manifest" href="/manifest.webmanifest" />
      <link rel="apple-touch-icon" href="/images/apple-touch-icon.png" />
      {head ?? <title>wrk</title>}
      <meta name="description" content={description} />
      {/* The browser would find it only in the stylesheet, too late, and lay the page out twice. */}
      {assets.font && <link rel="preload" as="font" type="font/woff2" href={assets.font} crossOrigin="" />}
      <link rel="stylesheet" href={assets.styles} />
      {assets.modules.map((path) => (
        <link key={path} rel={hasContents ? 'later' : 'modulepreload'} href={path} crossOrigin="" />
      ))}
      {assets.development}
      <script type="module" src={assets.script} crossOrigin="" />
    </head>
    <body>
      <div id="root" dangerouslySetInnerHTML={{ __html: root }} />
      {Object.entries(data).map(([id, value]) => (
        <script key={id} id={id} type="application/json" dangerouslySetInnerHTML={{ __html: inScript(value) }} />
      ))}
    </body>
  </html>
)

export const ABOUT =
  'The Canadian collaboration platform for teams and freelancers: shared task boards that update live, with time tracking.'

const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

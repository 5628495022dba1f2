import type { SignInOptions } from '../auth/basics'
import { PLACEHOLDERS, withSite } from './pageRoutes'
import { withRoot } from './withRoot'

/** What the build rendered for one provider and for developers, as this server has them. */
export function entranceHtml(built: string, options: SignInOptions, isRendered = true): string {
  const html = isRendered ? withOptions(built, options) : withRoot(built, '')
  const data = JSON.stringify(options).replaceAll('<', '\\u003c')
  const site = { origin: '', supportEmail: options.supportEmail }
  return withSite(html, site).replace('</body>', () => `<script type="application/json" id="options">${data}</script></body>`)
}

const PROVIDERS = /<div data-providers.*?<\/div>/s
const PROVIDER = /<a href="[^"]*\/provider-id.*?<\/a>/s
const DEVELOPER = /<button[^>]*data-developer.*?<\/button>/s

function withOptions(html: string, { host, providers, devLogin }: SignInOptions): string {
  const linkTo = (provider: SignInOptions['providers'][number], link: string) =>
    link.replace('provider-id', provider.id).replace('provider-name', () => Bun.escapeHTML(provider.name))
  const page = providers.length > 0 ? html : html.replace(PROVIDERS, '')
  return page
    .replaceAll(PLACEHOLDERS.host, () => Bun.escapeHTML(host))
    .replace(PROVIDER, (link) => providers.map((provider) => linkTo(provider, link)).join(''))
    .replace(DEVELOPER, (button) => (devLogin ? button : ''))
}

import type { Config } from '../config'

type Policy = Record<string, string[]>

/** Radix's scroll lock. When an upgrade changes it, tests/server/headers.test.ts fails and Chromium prints the new hash. */
const SCROLL_LOCK_STYLE = "'sha256-nzTgYzXYDNe6BAHiiI7NNlfK8n/auuOAhh2t92YvuXo='"

const policy = (origin: string): Policy => ({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", SCROLL_LOCK_STYLE],
  'font-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'connect-src': ["'self'", origin.replace(/^http/, 'ws')],
  'manifest-src': ["'self'"],
  'worker-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
})

/** Stripe.js must come from Stripe itself (docs.stripe.com/security/guide), and only this page may load it. */
const STRIPE_PAGE = '/subscribe'
const STRIPE = {
  'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
  'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  'connect-src': ['https://api.stripe.com'],
}

const HSTS_SECONDS = 365 * 24 * 60 * 60

/** The policy belongs to the document, so links to /subscribe must load a new one. */
export function createHeaders({ origin, config }: { origin(): string; config: Config }) {
  const headersWith = (policy: Policy, payment: string) =>
    Object.entries({
      'Content-Security-Policy': serialize(policy),
      'Permissions-Policy': `camera=(), geolocation=(), microphone=(), payment=${payment}, usb=()`,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      // Page addresses contain tokens (/auth/verify) and names.
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cache-Control': 'no-store',
      ...(origin().startsWith('https:') && { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` }),
    })
  let defaults: ReturnType<typeof headersWith> | undefined
  const withStripe = () => headersWith(merge(policy(origin()), STRIPE), '(self "https://js.stripe.com")')

  return (path: string) => {
    if (config.stripe && path === STRIPE_PAGE) return withStripe()
    // The origin is known only once the server listens.
    defaults ??= headersWith(policy(origin()), '()')
    return defaults
  }
}

const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

export function sandboxFile(headers: Headers): void {
  headers.set('Content-Security-Policy', FILE_POLICY)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
}

export const safeFileName = (text: string) => text.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_')

/** Both forms of RFC 6266, for old and new clients. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^ -~]|["\\%]/gu, '_')
  const whole = encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}

const merge = (defaults: Policy, more: Policy): Policy => ({
  ...defaults,
  ...Object.fromEntries(
    Object.entries(more).map(([directive, sources]) => [directive, [...(defaults[directive] ?? []), ...sources]]),
  ),
})

const serialize = (policy: Policy) =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')

/** Whether the client accepts a coding, unless with weight 0 (RFC 9110). */
export function acceptsEncoding({ headers }: Request, coding: 'br' | 'gzip'): boolean {
  const given = (headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  return given.some((one) => {
    const [name, weight = ''] = one.split(';').map((part) => part.trim())
    return name === coding && !/^q\s*=\s*0(\.0*)?$/.test(weight)
  })
}

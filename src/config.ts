import { resolve } from 'node:path'
import { z } from 'zod'
import { LEVELS } from './log'
import { withAsciiDomain } from './schema'

const number = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`)

const url = (protocols: RegExp, example: string) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && protocols.test(new URL(value).protocol), `must be an address like ${example}`)

const webUrl = (example: string) => url(/^https?:$/, example)

/** Browsers send no other characters in a host; `URL` accepts more. */
const HOST = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/

const originLike = (example: string) =>
  webUrl(example).superRefine((value, ctx) => {
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) return
    if (!/^https?:\/\/[^\s\\/?#@]+\/?$/i.test(value.trim())) ctx.addIssue(`must be an origin without a path, like ${example}`)
    else if (!HOST.test(new URL(value).hostname))
      ctx.addIssue(`must have a host of letters, digits, dots and hyphens, like ${example}`)
  })

const flag = z
  .enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'], 'must be true or false')
  .transform((value) => ['1', 'true', 'yes', 'on'].includes(value))

const secret = z.string().min(1)
const startingWith = (pattern: RegExp, start: string) => z.string().regex(pattern, `must start with ${start}`).optional()
const mailAddress = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an email address')
const sender = z
  .string()
  .regex(/^[^\s@<>]+@[^\s@<>]+$|^[^<>]+<[^\s@<>]+@[^\s@<>]+>$/, 'must be an email address, or a name and <address>')

const domains = z
  .string()
  .toLowerCase()
  .transform((value) => value.split(',').map((domain) => domain.trim()))
  .refine((all) => all.every((domain) => DOMAIN.test(domain)), 'must be comma-separated domains, like example.com,example.org')

/** File extensions; `images` covers all image types, `any` every file. */
const fileTypes = z
  .string()
  .toLowerCase()
  .transform((value) => value.split(',').map((type) => type.trim().replace(/^\./, '')))
  .refine(
    (all) => all.every((type) => /^[a-z0-9]{1,16}$/.test(type)),
    'must be "any", or comma-separated file extensions or groups, like images,pdf,zip',
  )

const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

/** Each as in a URL: `host:port`. */
const servers = z.string().transform((value, ctx) =>
  value.split(',').map((given) => {
    const [, host = '', port] = /^([^\s/@?#]+):(\d{1,5})$/.exec(given.trim()) ?? []
    const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined
    if (!hostname || Number(port) < 1 || Number(port) > 65_535)
      ctx.addIssue('must be comma-separated host:port pairs, like planka.lan:1337,10.0.0.5:80')
    else if (NEVER_ASKED.test(hostname))
      ctx.addIssue(`must not name ${hostname}: imports never connect to this machine or to link-local addresses`)
    return `${hostname}:${Number(port)}`
  }),
)

/** Other names that resolve to such an address are refused on connecting. */
const NEVER_ASKED = /^((.*\.)?localhost|(0|127|169\.254)(\.\d+)+|\[(::|fe[89ab]).*)$/

const replacedBy = (other: string) => z.undefined(`is no longer used: set ${other} instead`).optional()

export class ConfigError extends Error {}

const withoutBlanks = (environment: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''))

export const DEFAULT_POOL = 10

const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test'], 'must be production, development or test').default('development'),
  PORT: number(0, 65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: originLike('https://wrk.example.com').optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url(/^postgres(ql)?:$/, 'postgres://user:password@host:5432/wrk').optional(),
  DATABASE_POOL: number(1, 1_000).default(DEFAULT_POOL),
  REDIS_URL: url(/^rediss?:$/, 'redis://host:6379').optional(),
  S3_BUCKET: secret.optional(),
  S3_ENDPOINT: webUrl('https://s3.example.com').optional(),
  S3_ACCESS_KEY_ID: secret.optional(),
  S3_SECRET_ACCESS_KEY: secret.optional(),
  SMTP_URL: url(/^smtps?:$/, 'smtp://user:password@host:587').optional(),
  MAIL_FROM: sender.optional(),
  MAIL_GATHER_SECONDS: number(0, 86_400).default(120),
  STRIPE_SECRET_KEY: startingWith(/^[sr]k_/, 'sk_'),
  STRIPE_PUBLISHABLE_KEY: startingWith(/^pk_/, 'pk_'),
  STRIPE_WEBHOOK_SECRET: startingWith(/^whsec_/, 'whsec_'),
  STRIPE_PRICE_ID: startingWith(/^price_/, 'price_'),
  STRIPE_API_BASE: originLike('https://api.stripe.com').optional(),
  GOOGLE_CLIENT_ID: secret.optional(),
  GOOGLE_CLIENT_SECRET: secret.optional(),
  GITHUB_CLIENT_ID: secret.optional(),
  GITHUB_CLIENT_SECRET: secret.optional(),
  OIDC_ISSUER: webUrl('https://id.example.com').optional(),
  OIDC_CLIENT_ID: secret.optional(),
  OIDC_CLIENT_SECRET: secret.optional(),
  OIDC_NAME: secret.default('OpenID Connect'),
  SIGNUP: z.enum(['open', 'invited', 'closed'], 'must be open, invited or closed').default('open'),
  SIGNUP_DOMAINS: domains.optional(),
  SIGN_IN: z.enum(['any', 'oidc'], 'must be any or oidc').default('any'),
  OPERATOR_EMAIL: mailAddress.toLowerCase().transform(withAsciiDomain).optional(),
  PLANS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  SUPPORT_EMAIL: mailAddress.optional(),
  BOOKING_URL: webUrl('https://calendar.example.com/wrk').optional(),
  TRUST_PROXY: flag.default(false),
  DISK_RESERVE_MB: number(0, 1_000_000).default(64),
  FILES_MAX_MB: number(1, 1_000_000_000).optional(),
  ATTACHMENT_MAX_MB: number(1, 64).default(5),
  ATTACHMENT_TYPES: fileTypes.default(['images', 'pdf', 'doc', 'docx', 'xls', 'xlsx', 'txt']),
  ACCOUNT_MAX_MB: number(0, 1_000_000_000).default(1_024),
  LOG_LEVEL: z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`).default('info'),
  LOG_FORMAT: z.enum(['json', 'text'], 'must be json or text').optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  DRAIN_SECONDS: number(0, 60).default(0),
  SOURCE_URL: webUrl('https://git.example.com/wrk').optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_S3: flag.default(false),
  BACKUP_KEEP: number(1, 10_000).default(7),
  IMPORT_MEMORY_MB: number(128, 1_000_000).default(256),
  IMPORT_ALLOW: servers.default([]),
  IMPORT_PRIVATE_ADDRESSES: replacedBy('IMPORT_ALLOW=host:port of your Planka'),
})
type Environment = z.output<typeof environment>

const MIB = 2 ** 20

const GROUPS = {
  S3_BUCKET: ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  SMTP_URL: ['MAIL_FROM'],
  STRIPE_SECRET_KEY: ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID'],
  STRIPE_PUBLISHABLE_KEY: ['STRIPE_SECRET_KEY'],
  STRIPE_WEBHOOK_SECRET: ['STRIPE_SECRET_KEY'],
  STRIPE_PRICE_ID: ['STRIPE_SECRET_KEY'],
  GOOGLE_CLIENT_ID: ['GOOGLE_CLIENT_SECRET'],
  GITHUB_CLIENT_ID: ['GITHUB_CLIENT_SECRET'],
  OIDC_ISSUER: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
} as const satisfies Partial<Record<keyof Environment, readonly (keyof Environment)[]>>

const entries = <T extends object>(given: T) => Object.entries(given) as [keyof T, T[keyof T]][]

const isTest = (key: string) => /^[a-z]+_test_/.test(key)

function problemsIn(given: Environment): string[] {
  const problems = entries(GROUPS).flatMap(([leader, followers]) =>
    given[leader] === undefined
      ? []
      : followers.filter((name) => given[name] === undefined).map((name) => `${name} is needed when ${leader} is set`),
  )
  const { STRIPE_SECRET_KEY: key, STRIPE_PUBLISHABLE_KEY: publishable } = given
  if (key && publishable && isTest(key) !== isTest(publishable))
    problems.push('STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY must both be test keys or both be live keys')
  if (given.PLANS === 'off' && key) problems.push('STRIPE_SECRET_KEY is set, but PLANS is off: turn PLANS on, or remove the key')
  if (given.SIGN_IN === 'oidc' && !given.OIDC_ISSUER) problems.push('OIDC_ISSUER is needed when SIGN_IN is oidc')
  const { OPERATOR_EMAIL: operator, SIGNUP_DOMAINS: allowed } = given
  if (operator && allowed && !allowed.includes(operator.slice(operator.lastIndexOf('@') + 1)))
    problems.push('OPERATOR_EMAIL must be at one of the SIGNUP_DOMAINS')
  if (given.NODE_ENV === 'production' && !given.PUBLIC_URL) problems.push('PUBLIC_URL is needed in production')
  if (given.BACKUP_S3 && !given.S3_BUCKET) problems.push('S3_BUCKET is needed when BACKUP_S3 is set')
  if (given.BACKUP_S3 && given.BACKUP_DIR) problems.push('set only one of BACKUP_DIR and BACKUP_S3')
  return problems
}

const client = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId && clientSecret ? { clientId, clientSecret } : undefined

function oidcOf({ OIDC_ISSUER: issuer, OIDC_NAME: name, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Environment) {
  const known = client(OIDC_CLIENT_ID, OIDC_CLIENT_SECRET)
  return issuer && known ? { issuer, name, ...known } : undefined
}

function s3Of({ S3_BUCKET: bucket, S3_ENDPOINT: endpoint, ...given }: Environment) {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given
  return bucket && endpoint && accessKeyId && secretAccessKey ? { bucket, endpoint, accessKeyId, secretAccessKey } : undefined
}

function stripeOf({ STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey, ...given }: Environment) {
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_PRICE_ID: priceId, STRIPE_API_BASE: apiBase } = given
  if (!secretKey || !publishableKey || !webhookSecret || !priceId) return undefined
  return { secretKey, publishableKey, webhookSecret, priceId, apiBase }
}

export const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(host)

const DEFAULT_HOST = { production: '0.0.0.0', elsewhere: '127.0.0.1' }

/** Throws ConfigError. */
export function readConfig(env: Record<string, string | undefined>) {
  // Once, so compiling the schema first would take longer.
  const parsed = environment.safeParse(withoutBlanks(env), { jitless: true })
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'))
  const given = parsed.data
  const problems = problemsIn(given)
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  const production = given.NODE_ENV === 'production'
  const supportEmail = given.SUPPORT_EMAIL ?? 'support@wrk.example'
  const host = given.HOST ?? (production ? DEFAULT_HOST.production : DEFAULT_HOST.elsewhere)
  const isLocal = isLoopback(host) && (!given.PUBLIC_URL || isLoopback(new URL(given.PUBLIC_URL).hostname))
  return {
    production,
    isLocal,
    port: given.PORT,
    host,
    publicUrl: given.PUBLIC_URL && new URL(given.PUBLIC_URL).origin,
    dataDir: resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    databasePool: given.DATABASE_POOL,
    redisUrl: given.REDIS_URL,
    trustProxy: given.TRUST_PROXY,
    diskReserve: given.DISK_RESERVE_MB * MIB,
    log: { level: given.LOG_LEVEL, format: given.LOG_FORMAT ?? (production ? ('json' as const) : ('text' as const)) },
    metricsToken: given.METRICS_TOKEN,
    drainSeconds: given.DRAIN_SECONDS,
    sourceUrl: given.SOURCE_URL,
    importMemory: given.IMPORT_MEMORY_MB * MIB,
    filesMax: given.FILES_MAX_MB === undefined ? undefined : given.FILES_MAX_MB * MIB,
    attachments: { maxBytes: given.ATTACHMENT_MAX_MB * MIB, types: given.ATTACHMENT_TYPES },
    accountMax: given.ACCOUNT_MAX_MB * MIB,
    backupDir: given.BACKUP_DIR && resolve(given.BACKUP_DIR),
    backupS3: given.BACKUP_S3 ? s3Of(given) : undefined,
    backupKeep: given.BACKUP_KEEP,
    importAllow: given.IMPORT_ALLOW,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM ?? `wrk <${supportEmail}>`,
    mailGatherSeconds: given.MAIL_GATHER_SECONDS,
    hasPlans: given.PLANS === 'on',
    supportEmail,
    /** Whom emails say to write to: null without plans and without SUPPORT_EMAIL. */
    contactEmail: given.SUPPORT_EMAIL ?? (given.PLANS === 'on' ? supportEmail : null),
    bookingUrl: given.BOOKING_URL,
    s3: s3Of(given),
    stripe: stripeOf(given),
    google: client(given.GOOGLE_CLIENT_ID, given.GOOGLE_CLIENT_SECRET),
    github: client(given.GITHUB_CLIENT_ID, given.GITHUB_CLIENT_SECRET),
    oidc: oidcOf(given),
    operatorEmail: given.OPERATOR_EMAIL,
    signUp: given.SIGNUP,
    signUpDomains: given.SIGNUP_DOMAINS,
    onlyOidc: given.SIGN_IN === 'oidc',
  }
}
export type Config = ReturnType<typeof readConfig>

import { expect, setDefaultTimeout, test } from 'bun:test'
import { ConfigError, readConfig } from '../../src/config'
import { dataFolder, run } from '../support/process'
import { freePort } from '../support/redis'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error(`${JSON.stringify(env)} was accepted`)
}

const ORIGIN = 'must be an origin without a path, like https://wrk.example.com'
const HOSTED = 'must have a host of letters, digits, dots and hyphens, like https://wrk.example.com'
const wrong: [name: string, line: string, ...values: string[]][] = [
  ['NODE_ENV', 'must be production, development or test', 'staging'],
  ['PORT', 'must be a whole number from 0 to 65535', '65536', '-1', 'http', '3e3'],
  ['PUBLIC_URL', 'must be an address like https://wrk.example.com', 'wrk.example.com', 'ftp://wrk.example.com'],
  ['PUBLIC_URL', ORIGIN, 'https://wrk.example.com/app', 'https://:secret@wrk.example.com', 'https://wrk.example.com?'],
  ['PUBLIC_URL', ORIGIN, 'https:wrk.example.com', 'https://wrk.exa\tmple.com'],
  ['PUBLIC_URL', HOSTED, 'https://wrk.example.com,other.example', "https://wrk'.example.com", 'https://*.example.com'],
  ['PUBLIC_URL', HOSTED, 'https://wrk..example.com', 'https://wrk.example.com.'],
  ['DATABASE_URL', 'must be an address like postgres://user:password@host:5432/wrk', 'mysql://host/wrk'],
  ['DATABASE_POOL', 'must be a whole number from 1 to 1000', '0'],
  ['REDIS_URL', 'must be an address like redis://host:6379', 'localhost:6379'],
  ['S3_ENDPOINT', 'must be an address like https://s3.example.com', 's3'],
  ['SMTP_URL', 'must be an address like smtp://user:password@host:587', 'mail.example.com'],
  ['MAIL_FROM', 'must be an email address, or a name and <address>', 'wrk'],
  ['MAIL_GATHER_SECONDS', 'must be a whole number from 0 to 86400', 'soon'],
  ['IMPORT_MEMORY_MB', 'must be a whole number from 128 to 1000000', '127'],
  ['STRIPE_SECRET_KEY', 'must start with sk_', 'pk_test_1'],
  ['STRIPE_PUBLISHABLE_KEY', 'must start with pk_', 'sk_test_1'],
  ['STRIPE_WEBHOOK_SECRET', 'must start with whsec_', 'secret'],
  ['STRIPE_PRICE_ID', 'must start with price_', 'prod_1'],
  ['STRIPE_API_BASE', 'must be an origin without a path, like https://api.stripe.com', 'https://api.stripe.com/v1'],
  ['STRIPE_API_BASE', 'must be an address like https://api.stripe.com', 'stripe'],
  ['OIDC_ISSUER', 'must be an address like https://id.example.com', 'id'],
  ['SUPPORT_EMAIL', 'must be an email address', 'support'],
  ['OPERATOR_EMAIL', 'must be an email address', 'olga'],
  ['BOOKING_URL', 'must be an address like https://calendar.example.com/wrk', 'calendar'],
  ['ACCOUNT_MAX_MB', 'must be a whole number from 0 to 1000000000', '-1'],
  ['TRUST_PROXY', 'must be true or false', 'perhaps'],
  [
    'IMPORT_ALLOW',
    'must be comma-separated host:port pairs, like planka.lan:1337,10.0.0.5:80',
    ...['planka.lan', 'planka.lan:0', 'http://planka.lan:80', 'planka.lan:80,', 'fd00::2:80'],
  ],
  ...['localhost', '127.0.0.1', '[::1]', '[::ffff:7f00:1]', '169.254.169.254', '[fe80::1]', '0.0.0.0'].map(
    (host): [string, string, string] => [
      'IMPORT_ALLOW',
      `must not name ${host}: imports never connect to this machine or to link-local addresses`,
      `${host}:80`,
    ],
  ),
  ['IMPORT_PRIVATE_ADDRESSES', 'is no longer used: set IMPORT_ALLOW=host:port of your Planka instead', '1'],
]
for (const [name, line, ...values] of wrong)
  test.each(values)(`${name}=%s is named in one line`, (value) => {
    expect(refusal({ [name]: value })).toBe(`${name} ${line}`)
  })

test('servers that imports may ask are named as a URL has them', () => {
  const { importAllow } = readConfig({ IMPORT_ALLOW: 'PLANKA.lan:1337, 10.1:80,[FD00::2]:443' })
  expect(importAllow).toEqual(['planka.lan:1337', '10.0.0.1:80', '[fd00::2]:443'])
})

test('emails name nobody to write to on a server without plans that names nobody', () => {
  const contact = (given: Record<string, string>) => readConfig(given).contactEmail
  expect(contact({})).toBe('support@wrk.example')
  expect(contact({ PLANS: 'off' })).toBeNull()
  expect(contact({ PLANS: 'off', SUPPORT_EMAIL: 'ada@example.com' })).toBe('ada@example.com')
})

test('each wrong variable has its line', () => {
  expect(refusal({ PORT: 'x', TRUST_PROXY: 'x' }).split('\n')).toHaveLength(2)
})

const groups: [Record<string, string>, string[]][] = [
  [{ S3_BUCKET: 'wrk' }, ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
  [{ SMTP_URL: 'smtp://mail.example.com' }, ['MAIL_FROM']],
  [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, ['STRIPE_SECRET_KEY']],
  [{ STRIPE_WEBHOOK_SECRET: 'whsec_1' }, ['STRIPE_SECRET_KEY']],
  [{ STRIPE_PRICE_ID: 'price_1' }, ['STRIPE_SECRET_KEY']],
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID']],
  [{ GOOGLE_CLIENT_ID: 'id' }, ['GOOGLE_CLIENT_SECRET']],
  [{ GITHUB_CLIENT_ID: 'id' }, ['GITHUB_CLIENT_SECRET']],
  [{ OIDC_ISSUER: 'https://id.example.com' }, ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']],
]
for (const [given, needed] of groups) {
  const [leader] = Object.keys(given)
  test(`${leader} needs ${needed.join(', ')}`, () => {
    expect(refusal(given).split('\n')).toEqual(needed.map((name) => `${name} is needed when ${leader} is set`))
  })
}

test('live and test keys of Stripe do not go together', () => {
  const rest = { STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_PRICE_ID: 'price_1' }
  expect(refusal({ STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', ...rest })).toBe(
    'STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY must both be test keys or both be live keys',
  )
})

test('production needs PUBLIC_URL', () => {
  expect(refusal({ NODE_ENV: 'production' })).toBe('PUBLIC_URL is needed in production')
  expect(readConfig({ NODE_ENV: 'production', PUBLIC_URL: 'https://wrk.example.com/' })).toMatchObject({
    production: true,
    host: '0.0.0.0',
    publicUrl: 'https://wrk.example.com',
  })
})

test('an origin is of any host that a browser names, and kept as browsers write it', () => {
  const kept = (PUBLIC_URL: string) => readConfig({ PUBLIC_URL }).publicUrl
  expect(kept('https://WRK.example.com:443/')).toBe('https://wrk.example.com')
  expect(kept('http://[::1]:3000')).toBe('http://[::1]:3000')
  expect(kept('http://my_wrk:8080')).toBe('http://my_wrk:8080')
  expect(kept('https://bücher.example')).toBe('https://xn--bcher-kva.example')
})

test("nothing is needed on one's own machine, and a blank value is an absent one", () => {
  const absent = readConfig({})
  expect(absent).toMatchObject({ production: false, port: 3000, host: '127.0.0.1', publicUrl: undefined, databaseUrl: undefined })
  expect(readConfig({ PORT: '', DATABASE_URL: ' ', PUBLIC_URL: '', TRUST_PROXY: '', S3_BUCKET: '' })).toEqual(absent)
})

test('a wrong value stops the start with that line and nothing else', async () => {
  const { code, error, out } = await run('src/main.ts', { PORT: 'http' }).end()
  expect([code, error, out]).toEqual([1, 'PORT must be a whole number from 0 to 65535\n', ''])
})

test('so does a Redis or a Postgres that cannot be reached, in a line that names the variable', async () => {
  const folder = await dataFolder()
  const nowhere = `127.0.0.1:${await freePort()}`
  const start = (env: Record<string, string>) =>
    run('src/main.ts', { PORT: '0', DATA_DIR: folder.path, ...env }, '--no-page').end()
  expect(await start({ REDIS_URL: `redis://:secret@${nowhere}` })).toEqual({
    code: 1,
    out: '',
    error: 'REDIS_URL names a Redis that cannot be reached: Connection closed\n',
  })
  expect(await start({ DATABASE_URL: `postgres://wrk:secret@${nowhere}/wrk` })).toEqual({
    code: 1,
    out: '',
    error: 'DATABASE_URL names a database that cannot be reached: Failed to connect\n',
  })
  await folder.remove()
})

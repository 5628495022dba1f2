import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { ConfigError, readConfig } from '../../src/config'
import type { Database } from '../../src/db/database'
import { setPlans } from '../../src/db/installation'
import { serve } from '../../src/site/serve'
import { deleteEverybody, openInMemory } from '../support/databases'
import { peopleOf } from '../support/people'
import { dataFolder } from '../support/process'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

const folder = await dataFolder()
let database: Database
beforeAll(async () => {
  database = await openInMemory()
  await deleteEverybody(database.db)
})
let stop = async () => {}
afterAll(async () => {
  await stop()
  await folder.remove()
})

async function start() {
  const running = await serve(readConfig({ PORT: '0', DATA_DIR: folder.path, PLANS: 'off' }), database, 'built')
  stop = running.stop
  return `http://127.0.0.1:${running.port}`
}

test('on a server without plans everybody has Pro, and nothing is said of plans, prices, payment or support', async () => {
  const origin = await start()
  const { bob } = await peopleOf({ origin, db: database.db })
  expect((await bob.api.auth.session.query())?.isPro).toBe(true)
  for (const name of ['One', 'Two']) await bob.api.boards.create.mutate({ name })
  const gone = { message: 'This server has no plans.', code: 'NOT_FOUND' }
  for (const [method, path] of [
    ['GET', '/api/subscription-status'],
    ['POST', '/api/get-or-create-subscription'],
    ['POST', '/api/cancel-subscription'],
    ['POST', '/api/resume-subscription'],
  ] as const)
    expect([path, await bob.http(method, path)]).toMatchObject([path, { status: 404, body: gone }])
  for (const path of ['/subscribe', '/refund']) expect([path, (await fetch(origin + path)).status]).toEqual([path, 404])
  for (const path of ['/', '/terms', '/privacy', '/login', '/login?register']) {
    const html = await (await fetch(origin + path)).text()
    expect([
      path,
      html.match(/\bPro\b|CAD|\$10|subscri|refund|is free|costs nothing|support@|support requests|payment/i)?.[0],
    ]).toEqual([path, undefined])
  }
  expect(await (await fetch(`${origin}/sitemap.xml`)).text()).not.toContain('refund')
  for (const path of ['/api/docs', '/api/docs/openapi.json']) {
    const described = await (await fetch(origin + path, { headers: { accept: 'text/html' } })).text()
    expect([path, described.match(/.{0,40}(\bPro\b|\bplans?\b|\bsubscription|payment|billing|stripe|upgrading)/i)?.[0]]).toEqual([
      path,
      undefined,
    ])
    expect(described).toContain('/api/operator/users/{userId}/enable')
  }
  const page = await fetch(origin, { headers: { cookie: bob.cookie() } })
  expect(await page.text()).toContain('"hasPlans":false')
  // As at a start with plans.
  await setPlans(database.db, true)
  expect((await bob.api.auth.session.query())?.isPro).toBe(false)
})

test('PLANS=off and Stripe exclude each other', () => {
  const stripe = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PRICE_ID: 'price_1',
  }
  expect(() => readConfig({ ...stripe, PLANS: 'off' })).toThrow(ConfigError)
  expect(readConfig({ ...stripe }).hasPlans).toBe(true)
})

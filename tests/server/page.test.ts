import { afterAll, beforeAll, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readConfig } from '../../src/config'
import type { Db } from '../../src/db/database'
import { sessions } from '../../src/db/tables'
import { buildIfStale } from '../../src/site/buildIfStale'
import { DIST } from '../../src/site/bundle'
import { builtPage } from '../../src/site/page'
import { SIGN_IN_PATHS } from '../../src/site/pageRoutes'
import type { InitialView } from '../../src/site/render'
import { serve } from '../../src/site/serve'
import { firstPage } from '../bench/page'
import { browser } from '../support/browser'
import { openQuick } from '../support/databases'
import { PASSWORD } from '../support/people'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)

const ORIGIN = 'https://wrk.example.com'
const PUBLIC_PAGES = ['/', '/terms', '/privacy', '/refund']

describe('the built page', () => {
  let server: Awaited<ReturnType<typeof serve>>
  let db: Db
  beforeAll(async () => {
    await buildIfStale()
    const database = await openQuick()
    db = database.db
    const env = {
      PORT: '0',
      DATA_DIR: '/dev/null/nowhere',
      PUBLIC_URL: ORIGIN,
      SUPPORT_EMAIL: '$&a&b@wrk.example',
      TRUST_PROXY: '1',
    }
    server = await serve(readConfig(env), database, 'built')
  }, 60_000)
  afterAll(() => server.stop())

  const visitor = (...cookies: string[]) => browser(`http://127.0.0.1:${server.port}`, ...cookies)
  const get = (path: string, headers: Record<string, string> = {}) => visitor().http('GET', path, undefined, headers)
  const fileOf = async (folder: string, kind = '') =>
    `/${folder}/${(await readdir(join(DIST, folder))).find((file) => file.startsWith(kind) && !/\.(gz|br)$/.test(file))}`
  const isApp = (html: string) => /aria-label="Loading"|aria-busy/.test(html) && /src="\/assets\/index-/.test(html)

  async function registered() {
    const person = visitor()
    const username = `p${crypto.randomUUID().slice(0, 10)}`
    await person.http('POST', '/api/auth/register', {
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
      remember: true,
    })
    return person
  }

  test('only what has its contents in its name is kept for ever, and the front page nowhere', async () => {
    const kept = async (path: string) => {
      const { status, headers } = await get(path)
      return [path, status, headers.get('cache-control')]
    }
    for (const path of [await fileOf('assets'), await fileOf('assets', 'page-'), await fileOf('assets', 'geist-')])
      expect(await kept(path)).toEqual([path, 200, 'public, max-age=31536000, immutable'])
    const asked = ['/login', '/board/7', '/terms', '/images/default-profile.png', '/robots.txt', '/sw.js']
    for (const path of asked) expect(await kept(path)).toEqual([path, 200, 'no-cache'])
    expect(await kept('/')).toEqual(['/', 200, 'no-store'])
    // Signing in changes the cookie, and nothing of the app's files.
    expect((await get(await fileOf('assets'))).headers.get('vary')).toBe('Accept-Encoding')
    const { headers } = await get('/terms')
    expect(headers.get('vary')).toBe('Accept-Encoding, Cookie')
    expect((await get('/terms', { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
    expect((await get('/terms', { 'if-none-match': headers.get('etag') ?? '', cookie: 'theme=dark' })).status).toBe(200)
  })

  test('is sent in the smallest form that the browser can read', async () => {
    const sizeAs = async (coding: string) => {
      const url = `http://127.0.0.1:${server.port}${await fileOf('assets', 'index-')}`
      const answer = await fetch(url, { headers: { 'accept-encoding': coding }, decompress: false })
      expect(answer.headers.get('content-encoding')).toBe(coding === 'identity' ? null : (coding.split(', ').at(-1) ?? ''))
      return (await answer.bytes()).byteLength
    }
    const [plain, gzip, br] = [await sizeAs('identity'), await sizeAs('br;q=0, gzip'), await sizeAs('gzip, deflate, br')]
    expect([gzip < plain, br < gzip]).toEqual([true, true])
  })

  for (const [path, most] of [
    ['/terms', 5_000],
    ['/login', 130_000],
    ['/auth/verify', 130_000],
    ['/', 220_000],
    ['/board/7', 220_000],
    ['/time', 240_000],
    ['/anybody', 240_000],
  ] as const)
    test(`${path} names all the scripts that it begins with, which are small`, async () => {
      const cookie = SIGN_IN_PATHS.includes(path) ? '' : (await registered()).cookie()
      const { js, scripts, named } = await firstPage(`http://127.0.0.1:${server.port}`, path, cookie)
      expect(js).toBeLessThan(most)
      expect([...scripts.keys()].filter((script) => !named.includes(script))).toEqual([])
    })

  test('whoever is signed in has the first answers under way with the HTML, which is the same for all who may not see a board', async () => {
    const [ada, bob] = [await registered(), await registered()]
    const board = await ada.http('GET', '/board/7')
    expect(board.headers.get('link')).toBe(
      ['/trpc/auth.session', '/trpc/boards.list', '/api/boards/7/snapshot']
        .map((path) => `<${path}>; rel=preload; as=fetch; crossorigin`)
        .join(', '),
    )
    expect((await bob.http('GET', '/board/8')).text).toBe(board.text)
    expect((await ada.http('GET', '/')).headers.get('link')).not.toContain('/api/boards')
    const today = async (zone: string) => {
      const cookie = `${ada.cookie()}; zone=${zone}`
      return (await get('/', { cookie })).headers
        .get('link')
        ?.includes('/trpc/today.get?input=%7B%22timeZone%22%3A%22America%2FToronto%22%7D>')
    }
    expect([await today('America%2FToronto'), await today('%'), await today('x"y')]).toEqual([true, false, false])
    for (const path of ['/board/7', '/', '/login']) expect((await get(path)).headers.has('link')).toBe(false)
  })

  test('the HTML of a board begins with what its members see of it, and of the dashboard with one’s boards, which nobody keeps', async () => {
    const [ada, bob] = [await registered(), await registered()]
    const made = await ada.http('POST', '/api/boards', { name: 'Fish & <b>Chips', description: 'Fried' })
    const { id } = made.body as { id: number }
    const add = (title: string, status: string) => ada.http('POST', `/api/boards/${id}/tasks`, { title, status })
    for (let nth = 1; nth <= 9; nth++) await add(`Peel ${nth}.`, 'todo')
    await add('"Salt" them', 'done')
    const path = `/board/${id}`
    const look = async (person: typeof ada) => {
      const { text, headers } = await person.http('GET', path)
      const shown = ['Fish &amp; &lt;b&gt;Chips', 'Fried', 'Peel 1.', 'Peel 8.', 'Peel 9.', '&quot;Salt&quot; them']
      return [headers.get('cache-control'), ...shown.map((part) => text.includes(part))]
    }
    const nothing = ['no-cache', ...Array(6).fill(false)]
    expect(await look(ada)).toEqual(['no-store', true, true, true, true, false, true])
    expect([await look(bob), await look(visitor())]).toEqual([nothing, nothing])
    await ada.http('PATCH', `/api/boards/${id}`, { description: 'Baked' })
    expect((await ada.http('GET', path)).text).toContain('Baked')
    const [own, other] = [(await ada.http('GET', '/')).text, (await bob.http('GET', '/')).text]
    expect([own, other].map((text) => text.includes('Fish &amp; &lt;b&gt;Chips'))).toEqual([true, false])
    expect(own).toContain(`<a href="${path}"`)
    const user = (await bob.http('GET', '/api/user')).body as { id: number; username: string }
    await ada.http('POST', `/api/boards/${id}/members`, { username: user.username })
    expect((await look(bob)).slice(0, 2)).toEqual(['no-store', true])
    await ada.http('DELETE', `/api/boards/${id}/members/${user.id}`)
    expect(await look(bob)).toEqual(nothing)
    await ada.http('POST', '/api/auth/logout')
    expect(await look(ada)).toEqual(nothing)
  })

  test('what one begins with is left out where it cannot be rendered', async () => {
    const said = spyOn(console, 'error').mockImplementation(() => {})
    const page = builtPage({ hasPlans: true, attachments: { maxBytes: 1, types: [] } })
    const asked = () => new Request(`${ORIGIN}/`, { headers: { cookie: 'session=any' } })
    const plain = await (await page.app(asked())).text()
    const broken = { dashboard: { today: null }, unconfirmed: undefined } as unknown as InitialView
    const answer = await page.app(asked(), broken)
    expect([answer.status, answer.headers.get('link') === null, await answer.text()]).toEqual([200, false, plain])
    expect(isApp(plain)).toBe(true)
    expect(said).toHaveBeenCalledTimes(1)
    said.mockRestore()
  })

  test('pages without a sidebar do not begin with the shape of one', async () => {
    const ada = await registered()
    for (const path of ['/invite?token=x', '/subscribe', '/unsubscribe?token=x']) {
      const { text, headers } = await ada.http('GET', path)
      expect([path, isApp(text), headers.has('link')]).toEqual([path, true, false])
    }
    expect(isApp((await ada.http('GET', '/bob')).text)).toBe(false)
  })

  test('a missing file is not answered with the page, any other path is', async () => {
    for (const path of ['/assets/old.js', '/images/none.png', '/assets/none.woff2'])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    for (const path of ['/board/7', '/pages/index.html', '/index.html', '/page.html'])
      expect([path, isApp((await get(path)).text)]).toEqual([path, true])
  })

  test('nothing but its own files can be had, and no folder says what is in it', async () => {
    const beside = [
      '/package.json',
      '/bun.lock',
      '/src/main.ts',
      '/.git/config',
      '/drizzle/0000_first.sql',
      '/%2e%2e/package.json',
    ]
    for (const path of [...beside, '/assets', '/uploads/']) expect([path, isApp((await get(path)).text)]).toEqual([path, true])
    for (const path of ['/assets/', '/images/', '/images/..%2f..%2fpackage.json']) {
      const { status, text, headers } = await get(path)
      expect([path, status, text, headers.get('content-type')]).toEqual([path, 404, 'Not found', 'text/plain;charset=utf-8'])
    }
  })

  test('all that is text says how its letters are written', async () => {
    const asked = ['/', '/login', '/terms', '/robots.txt', '/sitemap.xml', '/api/docs', '/assets/gone.js', '/health']
    for (const path of [...asked, await fileOf('assets', 'index-'), await fileOf('assets', 'page-')])
      expect([path, (await get(path, { accept: 'text/html' })).headers.get('content-type')]).toEqual([
        path,
        expect.stringMatching(/^[a-z]+\/[a-z]+;charset=utf-8$/),
      ])
  })

  test('has the theme that was chosen', async () => {
    const theme = async (path: string, cookie: string) =>
      /<html[^>]*data-theme="(\w+)"/.exec((await get(path, { cookie })).text)?.[1]
    for (const path of ['/', '/login', '/refund'])
      expect(
        await Promise.all(['theme=dark', 'a=b; theme=light', 'theme=pink', ''].map((cookie) => theme(path, cookie))),
      ).toEqual(['dark', 'light', undefined, undefined])
  })

  for (const path of PUBLIC_PAGES)
    test(`${path} needs no app, and says what it is to whoever links to it`, async () => {
      const { text } = await get(path)
      expect(isApp(text)).toBe(false)
      const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([script]) => /src="([^"]+)"/.exec(script)?.[1] ?? '')
      expect(scripts).toEqual([expect.stringMatching(/^\/assets\/page-/)])
      expect((await get(scripts[0] ?? '')).bytes.byteLength).toBeLessThan(1_000)
      // The policy forbids them.
      expect(text).not.toMatch(/ style="|<style/)
      for (const wanted of [
        /<title>[^<]+ · wrk<\/title>/,
        /<meta name="description" content="[^"]{30,170}"/,
        new RegExp(`<link rel="canonical" href="${ORIGIN}${path}"`),
        new RegExp(`<meta property="og:url" content="${ORIGIN}${path}"`),
        /<meta property="og:title" content="[^"]+ · wrk"/,
        /<meta property="og:description" content="[^"]+"/,
        new RegExp(`<meta property="og:image" content="${ORIGIN}/images/wrk-smart.png"`),
        /<a href="mailto:\$&amp;a&amp;b@wrk\.example"/,
      ])
        expect(text).toMatch(wanted)
      expect((await get('/images/wrk-smart.png')).bytes.byteLength).toBeLessThan(50_000)
    })

  test('the front page is the landing page, or the app for whoever is signed in', async () => {
    const person = await registered()
    const home = async () => (await person.http('GET', '/')).text
    expect(isApp(await home())).toBe(true)
    expect(isApp((await person.http('GET', '/?payment_success=true')).text)).toBe(true)
    const cookie = person.cookie()
    await person.http('POST', '/api/auth/logout')
    expect(isApp(await home())).toBe(false)
    // As a browser has it whose session has ended.
    expect(isApp((await visitor(cookie).http('GET', '/')).text)).toBe(false)
  })

  test('the pages on which one signs in are whole before any script, and lead home who is signed in', async () => {
    const login = (await get('/login')).text
    expect(login).toContain('Pick up where you left off.')
    expect(login).toMatch(/<a href="mailto:\$&amp;a&amp;b@wrk\.example"/)
    expect(login).not.toMatch(/Continue as developer| style="/)
    const register = (await get('/login?register')).text
    expect(register).toContain(`Your profile will be at ${new URL(ORIGIN).host}/…`)
    expect(register).not.toMatch(/Pick up where you left off|Continue as developer| style="/)
    expect((await get('/login?invited')).text).not.toContain('Pick up where you left off.')
    expect((await get('/auth/verify?token=x')).text).toContain('Signing you in…')
    const { status, headers } = await (await registered()).http('GET', '/login')
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([302, '/', 'no-store'])
    for (const path of ['/Login', '/login/', '/auth/verify/'])
      expect((await get(`${path}?error=x`)).headers.get('location')).toBe(`${path.toLowerCase().replace(/\/$/, '')}?error=x`)
  })

  test('a session that is prolonged there is so in the browser, too', async () => {
    const person = await registered()
    expect((await person.http('GET', '/')).headers.has('set-cookie')).toBe(false)
    await db.update(sessions).set({ lastSeenAt: sql`now() - interval '1 hour'` })
    expect((await person.http('GET', '/')).headers.get('set-cookie')).toStartWith('__Host-session=r')
  })

  test('every way to write the upgrade page leads to the one address at which Stripe is let in', async () => {
    for (const path of ['/Subscribe', '/subscribe/', '/subscribe//', '/%73ubscribe', '/%53UBSCRIBE/'])
      expect((await get(`${path}?from=here`)).headers.get('location')).toBe('/subscribe?from=here')
    for (const path of ['/subscribe', '/subscribers', '/%', '/subscribe/more'])
      expect((await get(path)).headers.get('location')).toBeNull()
  })

  test('whoever looks for pages is told of them', async () => {
    const { headers, text } = await get('/sitemap.xml')
    expect(headers.get('content-type')).toStartWith('application/xml')
    expect([...text.matchAll(/<loc>([^<]+)/g)].map(([, address]) => address).toSorted()).toEqual(
      PUBLIC_PAGES.map((path) => ORIGIN + path).toSorted(),
    )
    const robots = await get('/robots.txt')
    expect(robots.text).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`)
    expect(robots.text).toContain('Disallow: /auth/\n')
  })
})

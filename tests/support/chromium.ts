import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, type ConsoleMessage, chromium, type Page } from 'playwright-core'
import { readConfig } from '../../src/config'
import { mails } from '../../src/db/schema'
import { buildIfStale } from '../../src/site/build'
import { serve } from '../../src/site/serve'
import { ownAddress } from './browser'
import { deleteEverybody, openInMemory } from './databases'
import { evidence } from './evidence'
import { takeFaults } from './faults'
import { withProof } from './people'
import { PATIENCE } from './until'

/** The shell without windows does the same for half the work. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
export const executablePath = [process.env.CHROMIUM, ...PLACES].find((path) => path && existsSync(path))

const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
]

export type Site = { open(name: string, options?: BrowserContextOptions): Promise<Page> }

/** Describes tests that drive Chromium against a running server; skipped, and saying so, where there is none. */
export function inChromium(name: string, define: (site: Site) => void, env: Record<string, string> = {}): void {
  if (!executablePath && process.env.CI) throw new Error('under CI the browser tests must run: install Chromium')
  if (!executablePath) console.warn(`SKIPPED "${name}": no Chromium was found; set CHROMIUM to its path`)
  setDefaultTimeout(PATIENCE)
  describe.skipIf(!executablePath)(name, () => define(driven(env)))
}

function driven(env: Record<string, string>): Site {
  let browser: Browser
  let server: Awaited<ReturnType<typeof serve>>
  const complaints: string[] = []
  const { logger, watch, given } = evidence()
  beforeAll(async () => {
    await buildIfStale()
    const database = await openInMemory()
    // Whoever the tests before left there.
    await deleteEverybody(database.db)
    await database.db.delete(mails)
    server = await serve(readConfig({ PORT: '0', DATA_DIR: '/dev/null/nowhere', TRUST_PROXY: '1', ...env }), database, 'built')
    browser = await launched()
  }, PATIENCE)
  afterEach(async () => {
    await given()
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
    // Those that the server tells of are its own.
    expect(takeFaults()).toEqual([])
  })
  afterAll(async () => {
    await server.stop()
  })
  return {
    /** A person's own browser; what it complains of fails the test. */
    async open(person, options = {}) {
      const context = await browser.newContext({
        baseURL: server.origin,
        viewport: { width: 1280, height: 800 },
        // What moves is waited for, each time.
        reducedMotion: 'reduce',
        extraHTTPHeaders: { 'x-forwarded-for': ownAddress() },
        logger,
        ...options,
      })
      watch(person, context)
      context.on('weberror', (raised) => complaints.push(`${person}: ${raised.error().message}`))
      context.on('console', (message) => {
        if (message.type() === 'error' && !isOfChromium(message)) complaints.push(`${person}: ${message.text()}`)
      })
      return context.newPage()
    },
  }
}

let browserOnce: Promise<Browser> | undefined

/** One Chromium for all files of a run, which ends with it; each person has a context of their own. */
export function launched(): Promise<Browser> {
  // Its sandbox refuses to start as root, which is what containers and CI are.
  const args = process.getuid?.() === 0 ? [...QUIET, '--no-sandbox'] : QUIET
  // Where a machine says nothing of its language, Chromium would give downloads no names but those in ASCII.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  browserOnce ??= chromium.launch({ executablePath, args, env })
  return browserOnce
}

/**
 * Chromium reports every refused request by itself; tests that bring one about look at what the page made of it. Its
 * viewer of files has styles that our policy for files refuses.
 */
export const isOfChromium = (message: ConsoleMessage) =>
  /^Failed to load resource|^WebSocket connection .* HTTP Authentication failed/.test(message.text()) ||
  new URL(message.page()?.url() ?? 'about:blank').pathname.startsWith('/uploads/')

/** Makes an account of a proven address by the page's own call and leaves the page on the dashboard. */
export async function signUp(page: Page, username: string): Promise<void> {
  await register(page, username)
  await page.goto('/')
}

/** As above, without loading a page. */
export async function register(page: Page, username: string): Promise<void> {
  await registerUnproven(page, username)
  await prove(page)
}

/** As once whoever is signed in there has opened the link that was mailed. */
export async function prove(page: Page): Promise<void> {
  const me = await (await page.request.get('/api/auth/me')).json()
  await withProof((await openInMemory()).db, me)
}

/** As above, but nobody has opened the link that was mailed. */
export async function registerUnproven(page: Page, username: string): Promise<void> {
  const data = {
    username,
    email: `${username}@example.com`,
    password: 'correct horse',
    name: username[0]?.toUpperCase() + username.slice(1),
  }
  const response = await page.request.post('/api/auth/register', { data })
  expect(response.status()).toBe(201)
}

/** Signs the browser out behind the page's back; not while a page of theirs may be opening its channel. */
export async function forget(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/** A board of Ada's with Bob on it and some tasks; both have it open. */
export async function sharedBoard(ada: Page, bob: Page, names: [string, string], titles: string[]): Promise<number> {
  await Promise.all([register(ada, names[0]), register(bob, names[1])])
  const board = await (await ada.request.post('/api/boards', { data: { name: 'Spring catalogue' } })).json()
  await ada.request.post(`/api/boards/${board.id}/members`, { data: { username: names[1] } })
  for (const title of titles) await ada.request.post(`/api/boards/${board.id}/tasks`, { data: { title } })
  await Promise.all([ada.goto(`/board/${board.id}`), bob.goto(`/board/${board.id}`)])
  await Promise.all([ada, bob].map((page) => page.getByRole('heading', { name: 'Spring catalogue' }).waitFor()))
  return board.id
}

import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test'
import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
} from 'playwright-core'
import { readConfig } from '../../src/config'
import { mails, unwantedFiles } from '../../src/db/tables'
import { buildIfStale } from '../../src/site/buildIfStale'
import { serve } from '../../src/site/serve'
import { ownAddress } from './browser'
import { deleteEverybody, openQuick } from './databases'
import { evidence } from './evidence'
import { takeFaults } from './faults'
import { keptContexts, ownPort } from './keptContexts'
import { outsideOf } from './network'
import { createAccount, PASSWORD, withProof } from './people'
import { GUARD, PATIENCE } from './until'

/** The shell without windows does the same for half the work. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
export const executablePath = [process.env.CHROMIUM, ...PLACES].find((path) => path && existsSync(path))

const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  // A page lives for seconds: fewer processes and threads, and less compiling, take a third of the work off it.
  '--in-process-gpu',
  '--process-per-site',
  '--renderer-process-limit=1',
  '--enable-features=NetworkServiceInProcess2',
  '--js-flags=--no-opt,--no-maglev,--single-threaded,--no-script-streaming,--min-semi-space-size=32,--no-flush-bytecode',
]

export type Site = ReturnType<typeof driven>
/** Options of their browsers, and who has the board open. */
type Shared = { ada?: BrowserContextOptions; bob?: BrowserContextOptions; seenBy?: ('ada' | 'bob')[] }

/** Describes tests that drive Chromium against a running server; skipped, and saying so, where there is none. */
export function inChromium(name: string, define: (site: Site) => void, env: Record<string, string> = {}): void {
  if (!executablePath && process.env.CI) throw new Error('under CI the browser tests must run: install Chromium')
  if (!executablePath) console.warn(`SKIPPED "${name}": no Chromium was found; set CHROMIUM to its path`)
  setDefaultTimeout(PATIENCE)
  describe.skipIf(!executablePath)(name, () => define(driven(env)))
}

const complaints: string[] = []
const names = new WeakMap<BrowserContext, string>()
const { isKept, isFree, keepable, keep, take } = keptContexts()
const { logger, watch, given } = evidence()

function driven(env: Record<string, string>) {
  let browser: Browser
  let server: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    await buildIfStale()
    const database = await openQuick()
    // Whoever the tests before left there.
    await deleteEverybody(database.db)
    await database.db.delete(mails)
    await database.db.delete(unwantedFiles)
    const config = readConfig({ PORT: String(ownPort()), DATA_DIR: '/dev/null/nowhere', TRUST_PROXY: '1', ...env })
    server = await serve(config, database, 'built')
    server.services.fetchOutside = outsideOf(config)
    browser = await launched()
  }, PATIENCE)
  afterEach(async () => {
    await given()
    await Promise.all(browser.contexts().map((context) => (isKept(context) ? keep(context, server.origin) : context.close())))
    expect(complaints.splice(0)).toEqual([])
    // Those that the server tells of are its own.
    expect(takeFaults()).toEqual([])
  })
  afterAll(async () => {
    await Promise.all(browser.contexts().map((context) => isFree(context) || context.close()))
    await server.stop()
  })
  return {
    get port() {
      return server.port
    },
    open,
    /** The page of somebody who has an account and is signed in; it shows nothing yet. */
    async account(username: string, options?: BrowserContextOptions): Promise<Page> {
      const page = await open(username, options)
      await register(page, username)
      return page
    },
    /** The same, on their dashboard. */
    async dashboard(username: string, options?: BrowserContextOptions): Promise<Page> {
      const page = await open(username, options)
      await signUp(page, username)
      return page
    },
    /** A board of the first one's with the second on it and some tasks, which both have open unless told otherwise. */
    async sharedBoard(names: [string, string], titles: string[], { ada: own = {}, bob: other = {}, seenBy }: Shared = {}) {
      const [ada, bob] = await Promise.all([open(names[0], own), open(names[1], other)])
      return {
        ada,
        bob,
        ...(await makeBoard(
          ada,
          bob,
          names,
          titles,
          seenBy?.map((name) => ({ ada, bob })[name]),
        )),
      }
    },
    /** The same where the second has no browser; `options` are of the first one's. */
    async ownBoard(names: [string, string], titles: string[], options?: BrowserContextOptions) {
      const ada = await open(names[0], options)
      return { ada, ...(await makeBoard(ada, null, names, titles)) }
    },
  }

  /** A person's own browser; what it complains of fails the test. */
  async function open(person: string, options: BrowserContextOptions = {}): Promise<Page> {
    const all = { baseURL: server.origin, ...options }
    const kept = Object.keys(env).length === 0 ? take(all) : undefined
    const context = kept ?? (await made(all))
    names.set(context, person)
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': ownAddress() })
    return context.newPage()
  }

  async function made(options: BrowserContextOptions & { baseURL: string }): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      // What moves is waited for, each time.
      reducedMotion: 'reduce',
      // It would keep the shell for each context anew.
      serviceWorkers: 'block',
      logger,
      ...options,
    })
    context.setDefaultTimeout(GUARD)
    const newPage = context.newPage.bind(context)
    context.newPage = async () => whenDrawn(await newPage())
    homes.set(context, options.baseURL)
    // Nothing but where it is: others are asked for once, or measure a page from its first frame. Nor where the server differs
    // from most, so that neither cache nor connection of one reaches the next.
    if (Object.keys(options).length === 1 && Object.keys(env).length === 0) await keepable(context, options)
    const nameOf = () => names.get(context) ?? ''
    watch(nameOf, context)
    context.on('weberror', (raised) => complaints.push(`${nameOf()}: ${raised.error().message}`))
    context.on('console', (message) => {
      if (message.type() === 'error' && !isOfChromium(message)) complaints.push(`${nameOf()}: ${message.text()}`)
    })
    return context
  }
}

/** Goes on when the app is there: the HTML has cards and names that no key and no menu belongs to yet. */
function whenDrawn(page: Page): Page {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  const drawn = () => page.waitForFunction(isDrawn, undefined, { timeout: 5_000 }).catch(() => {})
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil !== 'commit') await drawn()
    return response
  }
  page.reload = async (options) => {
    const response = await reload(options)
    if (options?.waitUntil !== 'commit') await drawn()
    return response
  }
  return page
}

function isDrawn(): boolean {
  const first = document.getElementById('root')?.firstElementChild
  const isInitial = first?.querySelector('[aria-busy], [role=status][aria-label=Loading]')
  return !first || !isInitial || Object.keys(first).some((key) => key.startsWith('__react'))
}

const homes = new WeakMap<BrowserContext, string>()

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
 * Chromium reports every refused request by itself; tests that bring one about look at what the page made of it. Where a screen's
 * script is lost the page is loaded anew, and React reports the loss if it draws once more until then. Chromium's viewer of files
 * has styles that our policy for files refuses.
 */
export const isOfChromium = (message: ConsoleMessage) =>
  /^Failed to load resource|^TypeError: Failed to fetch dynamically imported module|^The script has an unsupported MIME type|^WebSocket connection .* (HTTP Authentication failed|Unexpected response code: 400|Connection closed before receiving a handshake response|net::ERR_(INTERNET_DISCONNECTED|SOCKET_NOT_CONNECTED|CONNECTION_RESET))/.test(
    message.text(),
  ) || new URL(message.page()?.url() ?? 'about:blank').pathname.startsWith('/uploads/')

/** Makes an account of a proven address and leaves the page on the dashboard. */
export async function signUp(page: Page, username: string): Promise<void> {
  await register(page, username)
  await page.goto('/')
}

/** As above, without loading a page, and without the call, which would be much of what the tests do. */
export async function register(page: Page, username: string): Promise<void> {
  const { db } = await openQuick()
  const userAgent = await page.evaluate(() => navigator.userAgent)
  const { setCookie } = await createAccount(db, accountOf(username), userAgent)
  const [name = '', value = ''] = setCookie.split(';')[0]?.split('=') ?? []
  await page.context().addCookies([{ name, value, url: homes.get(page.context()) ?? '', httpOnly: true, sameSite: 'Lax' }])
}

/** As once whoever is signed in there has opened the link that was mailed. */
export async function prove(page: Page): Promise<void> {
  const me = await (await page.request.get('/api/auth/me')).json()
  await withProof((await openQuick()).db, me)
}

const accountOf = (username: string) => ({
  username,
  email: `${username}@example.com`,
  name: username[0]?.toUpperCase() + username.slice(1),
})

/** By the page's own call; nobody has opened the link that was mailed. */
export async function registerUnproven(page: Page, username: string): Promise<void> {
  const response = await page.request.post('/api/auth/register', { data: { ...accountOf(username), password: PASSWORD } })
  expect(response.status()).toBe(201)
}

/** Signs the browser out behind the page's back; not while a page of theirs may be opening its channel. */
export async function forget(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/** A board of Ada's with Bob on it and some tasks, which both have open unless told otherwise; Bob may have no browser. */
export const sharedBoard = async (...given: Parameters<typeof makeBoard>): Promise<number> => (await makeBoard(...given)).boardId

/** Answers its id, and those of its tasks, of which the first has a name of its own. */
async function makeBoard(
  ada: Page,
  bob: Page | null,
  names: [string, string],
  titles: string[],
  seenBy = bob ? [ada, bob] : [ada],
) {
  const { db } = await openQuick()
  await Promise.all([register(ada, names[0]), bob ? register(bob, names[1]) : createAccount(db, accountOf(names[1]))])
  const { id: boardId } = await (await ada.request.post('/api/boards', { data: { name: 'Spring catalogue' } })).json()
  await ada.request.post(`/api/boards/${boardId}/members`, { data: { username: names[1] } })
  const taskIds: number[] = []
  for (const title of titles)
    taskIds.push((await (await ada.request.post(`/api/boards/${boardId}/tasks`, { data: { title } })).json()).id)
  await Promise.all(seenBy.map((page) => page.goto(`/board/${boardId}`)))
  await Promise.all(seenBy.map((page) => page.getByRole('region', { name: 'Columns' }).waitFor()))
  return { boardId: boardId as number, taskIds, taskId: taskIds[0] ?? 0 }
}

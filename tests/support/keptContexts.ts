import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** A page and its process take about a hundred megabytes. */
const MOST = 6

type Kept = { keeper: Page; kind: string }

/**
 * Browsers that the next person who asks for one of the same kind gets as if it were new, in whichever file. A page that stays
 * keeps their process, with what it has compiled: a third of the work of loading the app.
 */
export function keptContexts() {
  const kept = new Map<BrowserContext, Kept>()
  const free: BrowserContext[] = []
  return {
    isKept: (context: BrowserContext) => kept.has(context),
    isFree: (context: BrowserContext) => free.includes(context),
    take(options: BrowserContextOptions) {
      const nth = free.findLastIndex((context) => kept.get(context)?.kind === kindOf(options))
      return nth < 0 ? undefined : free.splice(nth, 1)[0]
    },

    async keepable(context: BrowserContext, options: BrowserContextOptions): Promise<void> {
      const keeper = await context.newPage()
      await keeper.goto('/health')
      kept.set(context, { keeper, kind: kindOf(options) })
      context.once('close', () => {
        kept.delete(context)
        if (free.includes(context)) free.splice(free.indexOf(context), 1)
      })
      // A clock is the context's, for good: the next person would be hours ahead.
      const { clock } = context
      const install = clock.install.bind(clock)
      clock.install = (options) => {
        kept.delete(context)
        return install(options)
      }
    },

    /** Its pages are closed, and nothing is left of whoever had it. */
    async keep(context: BrowserContext, origin: string): Promise<void> {
      const keeper = kept.get(context)?.keeper
      if (!keeper || free.includes(context)) return
      await Promise.all(context.pages().map((page) => page !== keeper && closeHidden(page)))
      await Promise.all([context.unrouteAll({ behavior: 'ignoreErrors' }), context.setOffline(false), context.clearCookies()])
      const session = await context.newCDPSession(keeper)
      await session.send('Storage.clearDataForOrigin', {
        origin,
        storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
      })
      await session.detach()
      free.push(context)
      if (free.length > MOST) await free[0]?.close()
    },
  }
}

/** What a context emulates ends before its page does, which would be styled and laid out once more. */
async function closeHidden(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.style.setProperty('display', 'none')).catch(() => {})
  // Chromium may forget that it was asked to close a page to which another document comes at that moment; until that is loaded,
  // it may refuse to.
  const again = () => void askAgain(page).catch(() => {})
  page.on('framenavigated', again)
  page.on('domcontentloaded', again)
  await page.close()
}

async function askAgain(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.close')
}

/** The servers of all files of a run are at one, so that kept browsers know them again: below those that are given to anybody. */
export function ownPort(): number {
  let port = 20_000 + (process.pid % 10_000)
  while (!isFree(port)) port += 1
  return port
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: 'localhost', port, socket: { data() {} } }).stop()
    return true
  } catch {
    return false
  }
}

const kindOf = (options: BrowserContextOptions) => JSON.stringify(options)

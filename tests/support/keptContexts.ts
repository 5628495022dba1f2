import type { BrowserContext, Page } from 'playwright-core'

/**
 * Browsers that the next person gets as if they were new. A page that stays keeps their process, with what it has
 * compiled: a third of the work of loading the app.
 */
export function keptContexts() {
  const keepers = new Map<BrowserContext, Page>()
  const free: BrowserContext[] = []
  return {
    isKept: (context: BrowserContext) => keepers.has(context),
    takeKept: () => free.pop(),

    async keepable(context: BrowserContext): Promise<void> {
      const keeper = await context.newPage()
      await keeper.goto('/health')
      keepers.set(context, keeper)
      context.once('close', () => keepers.delete(context))
      // A clock is the context's, for good: the next person would be hours ahead.
      const { clock } = context
      const install = clock.install.bind(clock)
      clock.install = (options) => {
        keepers.delete(context)
        return install(options)
      }
    },

    /** Its pages are closed, and nothing is left of whoever had it. */
    async keep(context: BrowserContext, origin: string): Promise<void> {
      const keeper = keepers.get(context)
      if (!keeper || free.includes(context)) return
      await Promise.all(context.pages().map((page) => page !== keeper && page.close()))
      await Promise.all([context.unrouteAll({ behavior: 'ignoreErrors' }), context.setOffline(false), context.clearCookies()])
      const session = await context.newCDPSession(keeper)
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
      await session.detach()
      free.push(context)
    },
  }
}

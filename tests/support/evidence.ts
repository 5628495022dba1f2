import type { BrowserContext, Logger, Page } from 'playwright-core'

const MOST_CHARACTERS = 4_000
const LAST_LINES = 10
const FAILED = /^<= (?!.*(fulfill|continue|abort|fetch|close))\S+ failed/

type Witness = { nameOf: () => string; page: Page; said: string[] }

/** Prints what the open pages show when one of Playwright's calls fails, for of a failure under CI only the log is left. */
export function evidence() {
  const witnesses: Witness[] = []
  let told: Promise<unknown> | undefined
  const logger: Logger = {
    isEnabled: () => true,
    log(_name, _severity, message) {
      // Only of the first failure: the others follow from it, or are of these very questions. Once `given` has let the pages go, a failure would be kept for the next test.
      if (witnesses.length > 0 && FAILED.test(String(message))) told ??= Promise.all(witnesses.map(tell))
    },
  }
  return {
    /** For `newContext`. */
    logger,
    watch(nameOf: () => string, context: BrowserContext) {
      context.on('page', (page) => {
        const said: string[] = []
        witnesses.push({ nameOf, page, said })
        page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
      })
    },
    /** Before the pages are closed. */
    async given() {
      await told
      told = undefined
      witnesses.length = 0
    },
  }
}

async function tell({ nameOf, page, said }: Witness) {
  if (page.isClosed()) return
  const shown = await page.ariaSnapshot({ timeout: 5_000 }).catch((error: Error) => error.message)
  const text = [...said.slice(-LAST_LINES), shown].join('\n')
  console.error(`the page of ${nameOf()} at ${page.url()}\n${text.slice(0, MOST_CHARACTERS)}`)
}

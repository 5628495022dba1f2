import type { Page } from 'playwright-core'
import { type Snapshot, STATUS_LABELS, STATUSES } from '../../src/tasks/schema'
import { ownAddress } from '../support/browser'
import { executablePath, isOfChromium, launched } from '../support/chromium'
import { column } from '../support/page'
import type { History } from './history'
import type { Measures } from './measures'
import { workOffline } from './offline'
import type { Person } from './person'
import type { Site } from './site'
import type { Truth } from './truth'

const WITHIN_MS = 5_000
/**
 * A line that is dead without a word is noticed within 24 seconds, by asking whether it lives; the page connects again
 * after three, and reads perhaps over other dead lines, each of which it gives up after ten.
 */
const NOTICED_WITHIN_MS = 47_000
const LOOK_EVERY_MS = 100

type Shown = { page: Page; name: string; board: number }
type Given = { site: Site; readers: Person[]; boards: number[]; history: History; measures: Measures; count: number }

/** Boards that are open in Chromium; pages find a server that runs by themselves. */
export async function openPages({ site, readers, boards, history, measures, count }: Given) {
  if (count > 0 && !executablePath) {
    if (process.env.CI) throw new Error('under CI the pages must be there: install Chromium')
    console.warn('SKIPPED the pages: no Chromium was found; set CHROMIUM to its path')
  }
  let diedAt = -NOTICED_WITHIN_MS
  const readable = executablePath ? readers.slice(0, count) : []
  const pages = await Promise.all(readable.map((reader, nth) => open(reader, boards[nth % boards.length] ?? 0)))

  async function open(reader: Person, board: number): Promise<Shown> {
    const browser = await launched()
    const context = await browser.newContext({
      ...{ baseURL: site.front.url, viewport: { width: 1280, height: 20_000 }, reducedMotion: 'reduce' },
      extraHTTPHeaders: { 'x-forwarded-for': ownAddress() },
    })
    const [name = '', value = ''] = reader.cookie().split(/[=;]/)
    await context.addCookies([{ name, value, url: site.front.url }])
    const page = await context.newPage()
    const about = { person: reader.name, board }
    context.on('weberror', (raised) => history.violate('console', raised.error().message, about))
    context.on('console', (message) => {
      if (message.type() === 'error' && !isOfLines(message.text()) && !isOfChromium(message))
        history.violate('console', message.text(), about)
    })
    await page.goto(`/board/${board}`)
    await column(page, 'To Do').waitFor()
    return { page, name: reader.name, board }
  }

  async function isEqual({ page }: Shown, held: Snapshot): Promise<boolean> {
    const wanted = STATUSES.map((status) => held.tasks.filter((task) => task.status === status).map(({ title }) => title))
    const shown = await page.evaluate(titlesIn, Object.values(STATUS_LABELS)).catch(() => [])
    return Bun.deepEquals(shown, wanted)
  }

  /** `healedAt` and `struckAt` of the last faults; `forgotten` says that lines may be dead without a word. */
  async function check(heldOf: (board: number) => Snapshot | undefined, since: number) {
    await Promise.all(
      pages.map(async (shown) => {
        const held = heldOf(shown.board)
        if (!held) return
        let equal = await isEqual(shown, held)
        while (!equal && history.now() < since + WITHIN_MS) {
          await Bun.sleep(LOOK_EVERY_MS)
          equal = await isEqual(shown, held)
        }
        if (!equal) await complain(shown, held)
      }),
    )
  }

  async function complain({ page, name, board }: Shown, held: Snapshot) {
    const shown = await page.evaluate(titlesIn, Object.values(STATUS_LABELS)).catch((error) => [String(error)])
    history.violate('page', `the page at version ${held.board.version} shows ${JSON.stringify(shown).slice(0, 300)}`, {
      ...{ board, person: name },
    })
    await page.reload().catch(() => {})
  }

  return {
    check,
    /** Each of them for a while, one after the other. */
    async goOffline(truth: Truth) {
      for (const shown of pages) {
        await workOffline(shown, truth, history, diedAt + NOTICED_WITHIN_MS)
        measures.pages.offline += 1
      }
    },
    /** When a line that died without a word has been noticed, whenever that was. */
    noticedBy(struckAt: number, kinds: string[]) {
      if (kinds.includes('pages-forgotten')) diedAt = struckAt
      return diedAt + NOTICED_WITHIN_MS
    },
    async close() {
      await Promise.all(pages.map(({ page }) => page.context().close()))
    },
  }
}

const isOfLines = (text: string) => /^WebSocket connection|ERR_|could not be read/.test(text)

/** The titles of each column, as they are seen. */
const titlesIn = (labels: string[]) =>
  labels.map((label) =>
    [...document.querySelectorAll(`section[aria-label="${label}"] [data-task] > p:first-of-type`)].map(
      (title) => title.getAttribute('title') ?? title.textContent,
    ),
  )

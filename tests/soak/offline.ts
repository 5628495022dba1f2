import type { Page } from 'playwright-core'
import { addTask, card, column, press } from '../support/page'
import type { History } from './history'
import type { Truth } from './truth'

const AT_ONCE_MS = 3_000
/** The line may have died without a word: the page waits ten seconds for an answer. */
const DEAD_LINE_MS = 15_000
const STORED_WITHIN_MS = 5_000
const LOOK_EVERY_MS = 50

type Shown = { page: Page; name: string; board: number }
let nth = 0

/**
 * Somebody goes on in a page without a connection: what they do shows at once, and is stored once when it is back. Until
 * `noticedBy` it may be sent over lines that are dead without a word.
 */
export async function workOffline(
  { page, name, board }: Shown,
  truth: Truth,
  history: History,
  noticedBy: number,
): Promise<void> {
  nth += 1
  const about = { person: name, board }
  const [title, comment, other] = [`Task ${nth} from offline`, `Comment ${nth} from offline`, `Task ${nth} moved offline`]
  const attempt = (what: string, work: () => Promise<unknown>) =>
    work().catch((error: Error) => history.violate('offline', `${what}: ${error.message.split('\n')[0]}`, about))

  page.setDefaultTimeout(DEAD_LINE_MS)
  await attempt('a task to move is there', () => create(page, other))
  page.setDefaultTimeout(AT_ONCE_MS)
  await within(STORED_WITHIN_MS, 1, () => truth.countOf(other))
  await page.context().setOffline(true)
  history.note('goes offline', about)
  await attempt('a created task shows', () => create(page, title))
  await attempt('a moved task shows', () => move(page, other))
  await attempt('a comment shows', () => write(page, title, comment))
  await attempt('a timer shows', () => press(page, 'Start timer'))
  await page.keyboard.press('Escape').catch(() => {})
  await page.context().setOffline(false)
  history.note('is online again', about)
  const backAt = history.now()
  const patience = STORED_WITHIN_MS + Math.max(0, noticedBy - backAt)
  for (const text of [title, comment]) {
    const count = await within(patience, 1, () => truth.countOf(text))
    if (count !== 1)
      history.violate('offline', `“${text}” is stored ${count} times ${Math.round(history.now() - backAt)} ms later`, about)
  }
  const status = await within(patience, 'inprogress', () => truth.statusOf(other))
  if (status !== 'inprogress') history.violate('offline', `“${other}” is stored as ${status}, but was moved`, about)
  const timers = await within(patience, 1, () => truth.timersOn(title))
  if (timers !== 1) history.violate('offline', `“${title}” has ${timers} timers, but one was started`, about)
  page.setDefaultTimeout(0)
}

async function create(page: Page, title: string) {
  await addTask(page, 'To Do', title)
  await card(page, title).waitFor()
  await press(page, 'Close new task')
}

async function move(page: Page, title: string) {
  await card(page, title).focus()
  for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await column(page, 'In Progress').locator('[data-task]').filter({ hasText: title }).waitFor()
}

async function write(page: Page, title: string, comment: string) {
  await card(page, title).click()
  await page.getByRole('textbox', { name: 'New comment' }).fill(comment)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('list', { name: 'Comments' }).getByRole('listitem').filter({ hasText: comment }).waitFor()
}

/** Asks until it is as wanted, or the time is over; answers what it is then. */
async function within<T>(milliseconds: number, wanted: T, ask: () => Promise<T>): Promise<T> {
  const end = performance.now() + milliseconds
  for (;;) {
    const answer = await ask()
    if (answer === wanted || performance.now() > end) return answer
    await Bun.sleep(LOOK_EVERY_MS)
  }
}

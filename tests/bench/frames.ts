/**
 * `bun tests/bench/frames.ts [tasks] [slow-down]`: how smoothly Chromium shows a board of 5,000 tasks with its processor
 * slowed down four times. What a frame costs the page's main thread is read from a trace, in time of that thread: this
 * machine may draw without a graphics card, and have other work, which both show in the frames' distances. Tracing costs
 * time too: the numbers are of a run with hardly any, what the longest frames consist of is of another one.
 */
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { fill } from './fill'
import { makePlace, run } from './servers'
import { longestFrames, type Trace, workPerFrame } from './trace'

const TASKS = Number(process.argv[2] ?? 5_000)
const SLOW_DOWN = Number(process.argv[3] ?? 4)
const SCROLL_MS = 3_000
const FRAME_MS = 1000 / 60

async function main() {
  await Bun.$`bun run build`.quiet()
  const place = await makePlace(process.env.BENCH_DATABASE_URL)
  const {
    cookies,
    large: [board],
  } = await fill(place, TASKS)
  const server = await run('src/main.ts', place)
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await signedIn(browser, server.origin, cookies[0] ?? '')
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
    console.log(`${TASKS} tasks, processor slowed down ${SLOW_DOWN} times`)
    await page.goto(`${server.origin}/board/${board?.boardId}`)
    await page.locator('[data-task]').first().waitFor()
    await page.waitForTimeout(3_000)
    console.log('from the data to the first card painted, a page just opened, ms:', await firstCard(page))
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    const link = page.locator(`main a[href="/board/${board?.boardId}"]`).first()
    await link.waitFor()
    await page.reload()
    await link.waitFor()
    await page.waitForTimeout(3_000)
    await link.click()
    await page.locator('[data-task]').first().waitFor()
    await page.waitForTimeout(2_000)
    console.log('  from the dashboard, ms:', await firstCard(page))
    const [todo, done] = [await boxOf(page, 'To Do'), await boxOf(page, 'Done')]
    await measured('scroll', browser, page, () => scroll(page, cdp, todo))
    await measured('drag', browser, page, () => drag(page, todo, done))
    await measured('others move', browser, page, () => othersMove(page, server.origin, cookies[1] ?? ''))
  } finally {
    await browser.close()
    await server.stop()
    await place.remove()
  }
}

declare const painted: number
declare const scheduler: { postTask(task: () => void, options: { priority: string }): void }
declare const frames: number[]
declare const longFrames: number[]
declare function arrived(): number

const firstCard = (page: Page) => page.evaluate(() => Math.round(painted - arrived()))

async function signedIn(browser: Browser, origin: string, cookie: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: origin }])
  await context.addInitScript(watch)
  return context.newPage()
}

/** Runs in the page, before all else. */
function watch() {
  const own = { painted: 0, frames: [] as number[], longFrames: [] as number[], arrived }
  Object.assign(globalThis, own)
  function arrived() {
    const read = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/snapshot'))
    return read && 'responseEnd' in read ? Number(read.responseEnd) : Number.NaN
  }
  const seen = new MutationObserver(() => {
    if (!document.querySelector('[data-task]')) return
    seen.disconnect()
    // Ahead of what the page does once the frame is drawn.
    const noteDrawn = () => Object.assign(globalThis, { painted: performance.now() })
    requestAnimationFrame(() => scheduler.postTask(noteDrawn, { priority: 'user-blocking' }))
  })
  seen.observe(document, { subtree: true, childList: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) own.longFrames.push(duration)
  }).observe({ type: 'long-animation-frame' })
  let last = performance.now()
  const tick = (now: number) => {
    performance.mark('frame')
    own.frames.push(now - last)
    last = now
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
}

async function measured(name: string, browser: Browser, page: Page, work: () => Promise<void>) {
  const traced = async (categories: string[]): Promise<Trace> => {
    await browser.startTracing(page, { categories })
    await work()
    return JSON.parse((await browser.stopTracing()).toString())
  }
  await page.evaluate(() => {
    for (const list of [frames, longFrames]) list.splice(0)
  })
  await work()
  const seen = await page.evaluate(() => ({ distances: frames, long: longFrames }))
  const costs = workPerFrame(await traced(LIGHT))
  console.log(`${name}: main thread a frame, ms: ${spread(costs)}; over 50: ${costs.filter((ms) => ms > 50).length}`)
  console.log(`  frames over 50 ms, waiting for others with it: ${spread(seen.long)}; distances: ${spread(seen.distances)}`)
  console.log(`  the three longest, traced in detail: ${longestFrames(await traced(DETAILED)).join(' | ')}`)
}

const LIGHT = ['toplevel', 'blink.user_timing']
const DETAILED = [...LIGHT, 'devtools.timeline', 'disabled-by-default-devtools.timeline']

type Box = { x: number; y: number; width: number; height: number }

async function boxOf(page: Page, column: string): Promise<Box> {
  const box = await page.getByRole('region', { name: column }).boundingBox()
  if (!box) throw new Error('no column')
  return box
}

async function scroll(page: Page, cdp: CDPSession, box: Box) {
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(at.x, at.y)
  const sent: Promise<unknown>[] = []
  for (const end = performance.now() + SCROLL_MS; performance.now() < end; await Bun.sleep(FRAME_MS))
    sent.push(cdp.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY: 60 }))
  await Promise.all(sent)
}

async function drag(page: Page, from: Box, to: Box) {
  const start = { x: from.x + from.width / 2, y: from.y + 300 }
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  const steps = 120
  for (let step = 1; step <= steps; step++) {
    const x = start.x + ((to.x + to.width / 2 - start.x) * step) / steps
    await page.mouse.move(x, start.y + 150 * Math.sin((step / steps) * 4 * Math.PI))
  }
  await page.mouse.up()
  await page.waitForTimeout(1_000)
}

/** Somebody else moves cards in sight, ten a second, from column to column. */
async function othersMove(page: Page, origin: string, cookie: string) {
  const inSight = await page.locator('[data-task]').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-task')))
  const move = (nth: number) =>
    fetch(`${origin}/api/tasks/${inSight[nth % 5]}`, {
      method: 'PATCH',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({
        status: nth % 10 < 5 ? 'inprogress' : 'todo',
        before: Number(inSight[nth % 10 < 5 ? inSight.length - 1 : 5]),
      }),
    })
  for (let nth = 0; nth < 30; nth++) await Promise.all([move(nth), Bun.sleep(SCROLL_MS / 30)])
}

function spread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
  return `${sorted.length} of them, median ${at(0.5)}, 99% ${at(0.99)}, longest ${at(1)}`
}

await main()

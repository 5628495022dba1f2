/**
 * `bun tests/bench/frames.ts [tasks] [slow-down] [rounds] [drag,othersMove]`: how smoothly Chromium shows a board of 5,000 tasks with its
 * processor slowed down four times, beside a plain page of its cards, which a browser scrolls and drags by itself. What a
 * frame costs the page's main thread is read from a trace, in time of that thread: this machine may draw without a graphics
 * card, and have other work, which both show in the frames' distances. `FRAMES=detail` tells what the longest consist of.
 */
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { fill } from './fill'
import { makePlain, watch } from './plainCards'
import { makePlace, run } from './servers'
import { longestFrames, type Trace, workPerFrame } from './trace'

const TASKS = Number(process.argv[2] ?? 5_000)
const SLOW_DOWN = Number(process.argv[3] ?? 4)
const ROUNDS = Number(process.argv[4] ?? 9)
const NAMES = ['ours', 'plain', 'drag', 'plainDrag', 'othersMove'] as const
const ONLY = process.argv[5]?.split(',')
const IS_DETAILED = process.env.FRAMES === 'detail'
const SCROLL_MS = 1_500
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
    const address = `${server.origin}/board/${board?.boardId}`
    console.log(`${TASKS} tasks, processor slowed down ${SLOW_DOWN} times`)
    const ours = await opened(browser, address, cookies[0] ?? '')
    const plain = await opened(browser, address, cookies[0] ?? '')
    await makePlain(plain.page)
    const works: Record<Name, [Shown, (way: number) => Promise<Work>]> = {
      ours: [ours, (way) => scroll(ours, way)],
      plain: [plain, (way) => scroll(plain, way)],
      drag: [ours, () => drag(ours)],
      plainDrag: [plain, () => drag(plain)],
      othersMove: [ours, () => othersMove(ours.page, server.origin, cookies[1] ?? '')],
    }
    const figures: Figures = { ours: [], plain: [], drag: [], plainDrag: [], othersMove: [] }
    for (let round = 0; round < ROUNDS; round++)
      for (const name of NAMES.filter((name) => !ONLY || ONLY.includes(name))) {
        const [shown, ready] = works[name]
        figures[name].push(await traced(browser, name, shown, () => ready(round % 2 === 0 ? 1 : -1)))
      }
    tell(figures)
  } finally {
    await browser.close()
    await server.stop()
    await place.remove()
  }
}

type Shown = { page: Page; cdp: CDPSession }

type Name = (typeof NAMES)[number]
type Work = () => Promise<void>
/** A round's frames, each in ms. */
type Figures = Record<Name, number[][]>

async function opened(browser: Browser, address: string, cookie: string): Promise<Shown> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: new URL(address).origin }])
  await context.addInitScript(watch)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await page.goto(address)
  await page.locator('[data-task]').first().waitFor()
  await page.waitForTimeout(3_000)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
  return { page, cdp }
}

declare function countFrames(counts: boolean): void

/** What the page is asked to make `work` ready would be the longest of its frames. */
async function traced(browser: Browser, name: string, { page }: Shown, ready: () => Promise<Work>): Promise<number[]> {
  await page.bringToFront()
  const work = await ready()
  await page.evaluate(() => countFrames(true))
  await browser.startTracing(page, { categories: IS_DETAILED ? DETAILED : LIGHT })
  await work()
  const trace: Trace = JSON.parse((await browser.stopTracing()).toString())
  await page.evaluate(() => countFrames(false))
  if (IS_DETAILED) console.log(`  ${name}: ${longestFrames(trace).join(' | ')}`)
  return workPerFrame(trace)
}

const LIGHT = ['toplevel', 'blink.user_timing']
const DETAILED = [...LIGHT, 'devtools.timeline', 'disabled-by-default-devtools.timeline']

type Box = { x: number; y: number; width: number; height: number }

async function boxOf(page: Page, column: string): Promise<Box> {
  const box = await page.getByRole('region', { name: column }).boundingBox()
  if (!box) throw new Error('no column')
  return box
}

async function scroll({ page, cdp }: Shown, way: number): Promise<Work> {
  const box = await boxOf(page, 'To Do')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(at.x, at.y)
  return async () => {
    const sent: Promise<unknown>[] = []
    for (const end = performance.now() + SCROLL_MS; performance.now() < end; await Bun.sleep(FRAME_MS))
      sent.push(cdp.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY: 60 * way }))
    await Promise.all(sent)
  }
}

const STEPS = 60

async function drag({ page }: Shown): Promise<Work> {
  const [from, to] = [await boxOf(page, 'To Do'), await boxOf(page, 'Done')]
  const start = { x: from.x + from.width / 2, y: from.y + 300 }
  await page.mouse.move(start.x, start.y)
  return async () => {
    await page.mouse.down()
    for (let step = 1; step <= STEPS; step++) {
      const x = start.x + ((to.x + to.width / 2 - start.x) * step) / STEPS
      await page.mouse.move(x, start.y + 150 * Math.sin((step / STEPS) * 4 * Math.PI))
    }
    await page.mouse.up()
    await page.waitForTimeout(1_000)
  }
}

/** Somebody else moves cards in sight, ten a second, from column to column. */
async function othersMove(page: Page, origin: string, cookie: string): Promise<Work> {
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
  return async () => {
    for (let nth = 0; nth < 10; nth++) await Promise.all([move(nth), Bun.sleep(SCROLL_MS / 15)])
  }
}

const sorted = (values: number[]) => values.toSorted((a, b) => a - b)
const median = (values: number[]) => sorted(values)[Math.floor((values.length - 1) / 2)] ?? Number.NaN
const total = (values: number[]) => values.reduce((all, value) => all + value, 0)
const longest = (values: number[]) => Math.max(...values)
/** The median of all rounds, with the least and the most. */
const spread = (values: number[], digits = 0) =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`

function tell(figures: Figures) {
  const { ours, plain } = figures
  // Of all frames of a round: a typical frame says nothing where the compositor scrolls most of them by itself.
  const ratios = ours.map((frames, round) => total(frames) / total(plain[round] ?? []))
  if (ours.length > 0 && plain.length > 0) console.log(`scrolling, work of a round beside plain cards: ${spread(ratios, 2)}`)
  for (const [name, rounds] of Object.entries(figures).filter(([, rounds]) => rounds.length > 0)) {
    const over = rounds.map((frames) => frames.filter((ms) => ms > 50).length)
    const medians = spread(rounds.map(median), 1)
    console.log(`${name}: a frame ${medians}; longest ${spread(rounds.map(longest))}; over 50 ms ${spread(over)}`)
  }
}

await main()

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { addDays } from '../../src/days'
import { users } from '../../src/db/tables'
import { inChromium, register, registerUnproven } from '../support/chromium'
import { openQuick } from '../support/databases'
import { timer } from './timePages'

/** Where it is tomorrow already, or not yet today, while the server's clock says otherwise. */
const FAR = ['Pacific/Kiritimati', 'Pacific/Niue'] as const
/** The day changes what is said, the width how it lies: each day is at a narrow and at a wide one. */
const AWAY = [
  [390, FAR[0]],
  [390, FAR[1]],
  [820, FAR[0]],
  [1440, FAR[1]],
] as const
const WIDTHS = [390, 820, 1440]

/** Notes in each frame where the first of these is, also before the app is there. */
const watchTop = (page: Page, selector: string) =>
  page.addInitScript((selector) => {
    const tops = new Set<number>()
    Object.assign(window, { tops })
    const look = () => {
      const top = document.querySelector(selector)?.getBoundingClientRect().top
      if (top !== undefined) tops.add(Math.round(top))
      requestAnimationFrame(look)
    }
    look()
  }, selector)

const topsOf = (page: Page) => page.evaluate(() => [...(window as unknown as { tops: Set<number> }).tops])

inChromium('what the HTML shows', (site) => {
  const opened = async (options: BrowserContextOptions, width: number) => {
    const page = await site.open('ada', {
      ...options,
      viewport: { width, height: 900 },
      hasTouch: width < 640,
      isMobile: width < 640,
    })
    await page.goto('/login')
    return page
  }
  const post = async (page: Page, path: string, data: object) => {
    const answer = await page.request.post(path, { data })
    expect(answer.status()).toBeLessThan(300)
    return answer.json()
  }
  /** Where `selector` was from the first frame, in which the scripts had not come, until `rested`. */
  async function placesOf(opener: Page, path: string, selector: string, rested: (page: Page) => Promise<unknown>) {
    const page = await opener.context().newPage()
    await page.setViewportSize(opener.viewportSize() ?? { width: 0, height: 0 })
    await watchTop(page, selector)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', (route) => released.then(() => route.continue()))
    await page.goto(path, { waitUntil: 'commit' })
    await page.locator(selector).first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    release()
    await page.getByRole('button', { name: /^(Log out|Menu)$/ }).waitFor()
    await rested(page)
    const tops = await topsOf(page)
    await page.close()
    return tops
  }
  const CARD = 'main a[href^="/board/"]:not([href="/board/new"], [href*="#"], [href*="?"])'
  const COLUMN = 'main .bg-column:has(.bg-todo)'
  const banner = (page: Page) => page.getByRole('region', { name: 'Your email is not confirmed' }).waitFor()

  const timed = (page: Page) => page.getByRole('region', { name: 'My time' }).getByRole('button', { name: 'Stop' }).waitFor()

  for (const [width, timezoneId] of AWAY)
    test(`stays where it is on the dashboard, ${width} px wide, ${timezoneId}`, async () => {
      const name = `steady${width}${timezoneId.slice(8, 12).toLowerCase()}`
      const page = await opened({ timezoneId }, width)
      await registerUnproven(page, name)
      const heading = await placesOf(page, '/', 'main h2', (page) =>
        Promise.all([banner(page), page.getByRole('button', { name: 'Create Board' }).waitFor()]),
      )
      expect(heading).toEqual(heading.slice(0, 1))
      const description = 'Long enough for more than one line of the card of a board that is said to be about much. '.repeat(3)
      const board = await post(page, '/api/boards', { name: 'Harbour', description })
      const none = await placesOf(page, '/', CARD, (page) =>
        Promise.all([banner(page), page.getByRole('img', { name: 'No tasks yet' }).waitFor()]),
      )
      expect(none).toEqual(none.slice(0, 1))
      const today = await page.evaluate(() => new Date().toLocaleDateString('en-CA'))
      const me = await (await page.request.get('/api/auth/me')).json()
      for (const [nth, days] of [-3, -1, 0, 1, 6, 7, null, ...Array.from({ length: 7 }, () => 30)].entries()) {
        const title = `Task ${nth} of a title that is too long for the line of a phone, wherever it is cut`
        const dueDate = days === null ? null : addDays(today, days)
        const task = await post(page, `/api/boards/${board.id}/tasks`, { title, dueDate })
        await post(page, `/api/tasks/${task.id}/assignees`, { userId: me.id })
        if (nth === 0) await page.request.patch(`/api/tasks/${task.id}`, { data: { status: 'done' } })
        if (nth === 1) await post(page, '/api/time-entries', { taskId: task.id, status: 'ACTIVE' })
      }
      const some = await placesOf(page, '/', CARD, timed)
      expect(some).toEqual(some.slice(0, 1))
      expect(some).not.toEqual(none)
    })

  for (const width of WIDTHS)
    test(`stays where it is on a board, ${width} px wide`, async () => {
      const page = await opened({}, width)
      await registerUnproven(page, `boarder${width}`)
      const board = await post(page, '/api/boards', { name: 'Harbour' })
      const added = (page: Page) => page.getByRole('button', { name: 'Add Task' }).first().waitFor()
      const empty = await placesOf(page, `/board/${board.id}`, COLUMN, (page) => Promise.all([banner(page), added(page)]))
      expect(empty).toEqual(empty.slice(0, 1))
      await post(page, `/api/boards/${board.id}/tasks`, { title: 'Rig the mast' })
      const filtered = (page: Page) =>
        page
          .getByLabel('Filter tasks by text')
          .or(page.getByRole('button', { name: 'Filters' }))
          .waitFor()
      const filled = await placesOf(page, `/board/${board.id}`, COLUMN, (page) => Promise.all([banner(page), filtered(page)]))
      expect(filled).toEqual(filled.slice(0, 1))
    })

  for (const width of [360, ...WIDTHS])
    test(`stays where it is on a board whose connection is lost, ${width} px wide`, async () => {
      const page = await opened({}, width)
      await register(page, `cutoff${width}`)
      const board = await post(page, '/api/boards', { name: 'Harbour', description: 'All that floats' })
      await post(page, `/api/boards/${board.id}/tasks`, { title: 'Rig the mast' })
      await page.goto(`/board/${board.id}`)
      await page.locator('[data-task]').waitFor()
      const places = () =>
        page
          .locator('main :is(header :not([role=status], [role=status] *), search *, section, h2, [data-task])')
          .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())))
      const before = await places()
      await page.context().setOffline(true)
      await page.getByRole('status').getByText('Reconnecting…').waitFor()
      expect(await places()).toEqual(before)
    })

  test('has the links beside it stay where they are when a timer comes', async () => {
    const page = await opened({}, 1440)
    await register(page, 'timed')
    const board = await post(page, '/api/boards', { name: 'Harbour' })
    const task = await post(page, `/api/boards/${board.id}/tasks`, { title: 'Rig the mast' })
    await post(page, '/api/time-entries', { taskId: task.id, status: 'ACTIVE' })
    await watchTop(page, 'aside a[href="/time"]')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/time\.timers/, (route) => released.then(() => route.continue()))
    await page.goto('/time', { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'My time' }).waitFor()
    await page.getByRole('link', { name: 'Harbour' }).first().waitFor()
    release()
    await timer(page).waitFor()
    expect(await topsOf(page)).toHaveLength(1)
  })

  test('has room on a phone for a timer with the name of its task, and nothing moves when it comes', async () => {
    const page = await opened({}, 390)
    await register(page, 'timedonphone')
    const board = await post(page, '/api/boards', { name: 'Harbour' })
    const task = await post(page, `/api/boards/${board.id}/tasks`, { title: 'Rig the mast' })
    const { id } = await post(page, '/api/time-entries', { taskId: task.id, status: 'ACTIVE' })
    await page.request.patch(`/api/time-entries/${id}`, { data: { status: 'PAUSED' } })
    await watchTop(page, 'main')
    await page.goto('/time', { waitUntil: 'commit' })
    const link = timer(page).getByRole('link', { name: 'Rig the mast' })
    const name = await link.locator('bdi').boundingBox()
    expect(name?.width).toBeGreaterThan(60)
    expect(await topsOf(page)).toHaveLength(1)
    // What is pressed over the time leads there, too.
    await timer(page).getByText('0:00:').click({ force: true })
    await page.getByRole('dialog', { name: 'Rig the mast' }).waitFor()
  })

  test('has “New Board” in the sidebar where it stays', async () => {
    const page = await opened({}, 1440)
    await register(page, 'boardless')
    await watchTop(page, 'aside nav button')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/boards\.list/, (route) => released.then(() => route.continue()))
    await page.goto('/import', { waitUntil: 'commit' })
    await page.getByRole('status', { name: 'Loading boards' }).waitFor()
    release()
    await page.getByText('No boards yet').waitFor()
    await page.getByRole('button', { name: 'New Board' }).waitFor()
    expect(await topsOf(page)).toHaveLength(1)
  })

  test('stays where it is on a board that is read-only for its creator', async () => {
    const page = await opened({}, 390)
    await register(page, 'downgraded')
    const { db } = await openQuick()
    const setPro = (isPro: boolean) => db.update(users).set({ isPro }).where(eq(users.username, 'downgraded'))
    await setPro(true)
    await post(page, '/api/boards', { name: 'Harbour' })
    const second = await post(page, '/api/boards', { name: 'Beach' })
    await setPro(false)
    const tops = await placesOf(page, `/board/${second.id}`, '[role=note]', (page) =>
      page.getByText('No tasks in this column').first().waitFor(),
    )
    expect(tops).toEqual(tops.slice(0, 1))
    const columns = await placesOf(page, `/board/${second.id}`, COLUMN, (page) =>
      page.getByText('No tasks in this column').first().waitFor(),
    )
    expect(columns).toEqual(columns.slice(0, 1))
  })

  test('is shown to whoever confirmed their email without the line that asks for it', async () => {
    const page = await opened({}, 390)
    await register(page, 'proven')
    const board = await post(page, '/api/boards', { name: 'Harbour' })
    for (const path of ['/', `/board/${board.id}`])
      expect(await (await page.request.get(path)).text()).not.toContain('Please confirm')
  })
})

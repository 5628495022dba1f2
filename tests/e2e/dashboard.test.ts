import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium, register } from '../support/chromium'
import { answerHeld, asksAgain, button, dialog, failsOnce, isTitled, leads, leave, press, says, told } from '../support/page'
import { until } from '../support/until'

/** Cut to 15 in the sidebar. */
const LONG_BOARD = 'A board with a rather long name'

const boards = (page: Page) => page.locator('main').getByRole('link', { name: LONG_BOARD })

inChromium('the dashboard', (site) => {
  async function opened(username: string, board?: string) {
    const page = await site.open(username)
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await register(page, username)
    if (board) await page.request.post('/api/boards', { data: { name: board } })
    await page.goto('/')
    await page.getByRole('button', { name: /^(Log out|Menu)$/ }).waitFor()
    return { page, logged }
  }

  test('greets whoever has no board yet, says their plan, and leads to Pro', async () => {
    const { page } = await opened('maximiliane-montgomery')
    await says(page, 'Welcome, Maximiliane-montgomery', 'Free Plan', 'Create your first board to start managing tasks')
    await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
    await page.getByRole('navigation', { name: 'My Boards' }).getByText('No boards yet').waitFor()
    expect(await leads(page, 'Upgrade to Pro')).toEqual(['/subscribe'])
    for (const name of ['New Board', 'Create Board']) await button(page, name).first().waitFor()
    await isTitled(page, 'Dashboard')
  })

  test('shows a board that one was added to before the page could hear of it', async () => {
    const page = await site.account('late')
    const connected = Promise.withResolvers<void>()
    await page.routeWebSocket('**/ws', async (socket) => {
      await connected.promise
      socket.connectToServer()
    })
    await page.goto('/')
    await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
    const { page: ada } = await opened('adder', 'Allotment')
    const [{ id }] = await (await ada.request.get('/api/boards')).json()
    expect((await ada.request.post(`/api/boards/${id}/members`, { data: { username: 'late' } })).status()).toBe(201)
    connected.resolve()
    await page
      .getByRole('main')
      .getByRole('link', { name: /Allotment/ })
      .waitFor()
    await page.getByRole('img', { name: 'No tasks yet' }).waitFor()
  })

  test('what the HTML shows stays where it is when the app takes over, and a card that was clicked before opens then', async () => {
    const { page } = await opened('finn', 'Harbour')
    const [{ id }] = await (await page.request.get('/api/boards')).json()
    const description = 'Two lines of it, so that the card is as high as one with much to say about what is to be done. '.repeat(
      2,
    )
    for (const [title, more] of [
      ['Rig the mast', { description, tags: ['ropes', 'a rather long tag'], dueDate: '2026-01-05' }],
      ['Paint', { status: 'done', tags: ['hull'] }],
      ['Launch', {}],
    ] as const)
      await page.request.post(`/api/boards/${id}/tasks`, { data: { title, ...more } })
    const greeting = ['Welcome, Finn', 'Free Plan']
    const cards = ['Rig the mast', 'Paint', 'Launch']
    const placeOf = (text: string) => page.locator('main').getByText(text, { exact: true }).first()
    const boxOf = async (text: string) => ((await placeOf(text).count()) > 0 ? placeOf(text).boundingBox() : null)
    for (const path of ['/', `/board/${id}`]) {
      const titles = path === '/' ? greeting : ['Harbour', ...cards, 'No description']
      const boxes = () => Promise.all(titles.map(boxOf))
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/assets/*.js', (route) => released.then(() => route.continue()))
      await page.goto(path, { waitUntil: 'commit' })
      await page.locator('#root [aria-busy]').waitFor()
      await page.evaluate(() => document.fonts.ready)
      const before = await boxes()
      expect(before).not.toContain(null)
      if (path === '/') await page.locator(`main a[href="/board/${id}"]`).waitFor()
      if (path !== '/') await page.getByRole('link', { name: 'Launch' }).click({ noWaitAfter: true })
      release()
      // Behind the dialog, where that was faster.
      await page.getByRole('button', { name: 'Log out', includeHidden: true }).waitFor()
      if (path !== '/') await page.locator('[data-task]').nth(2).waitFor()
      expect(await boxes()).toEqual(before)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
    await dialog(page, 'Launch').waitFor()
  })

  test('shows three placeholders while it loads; what cannot be read is logged, and read again on demand', async () => {
    const { page, logged } = await opened('ben')
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/trpc/*boards.list*', (route) => promise.then(() => route.abort()))
    await page.reload()
    await page.locator('main ul[aria-busy=true] > li').nth(2).waitFor()
    expect(await page.locator('main ul[aria-busy=true] > li').count()).toBe(3)
    resolve()
    await asksAgain(page, 'boards.list')
    await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
    expect(logged.some((text) => text.startsWith('Something could not be read'))).toBe(true)
  })

  test('keeps the boards that it shows where they cannot be read again', async () => {
    const { page } = await opened('ines', 'First')
    const first = page.getByRole('main').getByRole('link', { name: 'First' }).first()
    await first.waitFor()
    const data = { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500 }
    const fault = { status: 500, json: [{ error: { message: 'Something went wrong', code: -32603, data } }] }
    await page.route('**/trpc/*boards.list*', (route) => route.fulfill(fault))
    const refused = page.waitForEvent('requestfinished', (request) => request.url().includes('boards.list'))
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await refused
    await page.getByRole('status').getByText('Reconnecting').or(first).first().waitFor()
    expect(await page.getByText('Your boards could not be loaded.').count()).toBe(0)
    await first.waitFor()
  })

  test('comes up though its script is lost on the way', async () => {
    const { page } = await opened('gil', 'Harbour')
    let loads = 0
    page.on('request', (request) => request.isNavigationRequest() && loads++)
    await page.route(/\/assets\/dashboard-.{8}\.js$/, (route) => (loads < 2 ? route.abort() : route.continue()))
    await page.reload()
    await page.locator('main').getByRole('link', { name: 'Harbour' }).waitFor()
    await page.getByRole('button', { name: 'Log out' }).waitFor()
    expect(loads).toBe(2)
  })

  test('has a dialog that creates a board, though the first try fails, and opens it', async () => {
    const { page, logged } = await opened('cleo')
    await press(page, 'Create Board')
    const form = dialog(page, 'Create New Board')
    expect(await form.getByLabel('Board Name').getAttribute('placeholder')).toStartWith('e.g. ')
    await form.getByLabel('Description (optional)').waitFor()
    const create = form.getByRole('button', { name: 'Create Board' })
    expect(await create.isDisabled()).toBe(true)
    await form.getByLabel('Board Name').fill(LONG_BOARD)
    await failsOnce(page, 'boards.create')
    await create.click()
    await told(page, 'Creation Failed', 'Could not create the board. Please try again.')
    expect(logged.some((text) => text.startsWith('A change was refused'))).toBe(true)
    // The list may have the board before the answer comes.
    const answer = await answerHeld(page, 'boards.create')
    await create.click()
    await answer.given
    await page.locator('main').getByText(LONG_BOARD).first().waitFor()
    answer.release()
    await told(page, 'Board Created', 'Your new board has been created successfully.')
    await page.waitForURL(/\/board\/\d+$/)
    await isTitled(page, LONG_BOARD)
  })

  test('leads to a board that was created nobody who has gone elsewhere meanwhile', async () => {
    const { page } = await opened('dina')
    await press(page, 'Create Board')
    const form = dialog(page, 'Create New Board')
    await form.getByLabel('Board Name').fill(LONG_BOARD)
    const answer = await answerHeld(page, 'boards.create')
    await form.getByRole('button', { name: 'Create Board' }).click()
    await answer.given
    await leave(form)
    await page.keyboard.press('Shift+T')
    await page.waitForURL('**/time')
    answer.release()
    await told(page, 'Board Created')
    expect(new URL(page.url()).pathname).toBe('/time')
  })

  test('has cards with name, description and members that lead to their board, in 1, 2 or 3 columns by width', async () => {
    const { page } = await opened('dora', LONG_BOARD)
    for (const text of ['No description', '1 member']) await boards(page).getByText(text, { exact: true }).waitFor()
    expect(await boards(page).getAttribute('href')).toMatch(/^\/board\/\d+$/)
    const clamped = boards(page).getByText('No description')
    expect(await clamped.evaluate((text) => getComputedStyle(text).webkitLineClamp)).toBe('2')
    const columns: number[] = []
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      const grid = page.locator('main ul[aria-busy]')
      columns.push(await grid.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length))
    }
    expect(columns).toEqual([1, 2, 3])
  })

  test('offers Pro to whoever creates a second board, in place of the dialog', async () => {
    const { page } = await opened('eli', LONG_BOARD)
    await page.locator('main').getByRole('button', { name: 'New Board' }).click()
    await page.getByLabel('Board Name').fill('A second one')
    await press(page, 'Create Board')
    const offer = dialog(page, 'Upgrade to Pro')
    for (const text of ['1 board', '$10 CAD', 'per month', 'Unlimited boards', 'Unlimited tasks per board'])
      await offer.getByText(text).first().waitFor()
    for (const text of ['Unlimited collaborators', 'Priority support']) await offer.getByText(text).waitFor()
    expect(await leads(page, 'Upgrade Now')).toEqual(['/subscribe'])
    expect(await dialog(page, 'Create New Board').count()).toBe(0)
    await press(page, 'Maybe Later')
    await offer.waitFor({ state: 'detached' })
  })

  test('has its title where the other pages have theirs', async () => {
    const { page } = await opened('iva', LONG_BOARD)
    for (const width of [390, 820, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      const places = new Set<string>()
      for (const path of ['/', '/time', '/import', '/iva']) {
        await page.goto(path)
        await page.getByRole('button', { name: /^(Log out|Menu)$/ }).waitFor()
        const box = await page.getByRole('main').getByRole('heading', { level: 1 }).boundingBox()
        places.add(box ? [box.x, box.y, box.height].map(Math.round).join(' ') : 'nowhere')
      }
      expect([...places]).toHaveLength(1)
    }
  })

  test("says 'Pro Only' on a locked board, which leads to /subscribe", async () => {
    const { page } = await opened('fay', LONG_BOARD)
    expect(await boards(page).getByText('Pro Only').count()).toBe(0)
    await page.route('**/trpc/*boards.list*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll('"locked":false', '"locked":true') })
    })
    await page.reload()
    await boards(page).getByText('Pro Only').waitFor()
    expect(await boards(page).getAttribute('href')).toBe('/subscribe')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('opens its dialog at /board/new; an address of nothing says 404, and a hint to developers', async () => {
    const { page } = await opened('gus')
    await page.goto('/no/such/page')
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    await says(page, /No route matches .*Did you forget to add it to the router\?/)
    await isTitled(page, '404')
    // What cannot be a username is no profile either.
    await page.goto('/settings')
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    await page.goto('/board/new')
    await dialog(page, 'Create New Board').waitFor()
  })

  test('stays connected at the address of a board that cannot be', async () => {
    const { page } = await opened('hedi')
    for (const id of ['abc', '0', '9999999999']) {
      const connection = page.waitForEvent('websocket')
      await page.goto(`/board/${id}`)
      const live = await connection
      let isAnswered = false
      live.on('framereceived', ({ payload }) => {
        isAnswered ||= String(payload).includes('pong')
      })
      await page.getByRole('heading', { name: 'Board Not Found' }).waitFor()
      await until('the server answers', async () => {
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
        return isAnswered
      })
    }
  })

  test('shows the default image for an avatar that is gone, and letters where that is gone too', async () => {
    const { page } = await opened('maximiliane-mitterrand')
    await page.route('**/trpc/auth.session*', async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      await route.fulfill({ response, body: text.replace('/images/default-profile.png', '/uploads/avatars/gone.webp') })
    })
    await page.goto('/')
    await page.locator('aside img[src="/images/default-profile.png"]').waitFor()
    await page.route('**/images/default-profile.png', (route) => route.abort())
    await page.reload()
    await page.locator('aside [data-initials=MM]').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('has a menu on small screens; whoever cannot log out there is told so, and can try again', async () => {
    const { page } = await opened('hal', LONG_BOARD)
    await page.setViewportSize({ width: 390, height: 800 })
    await page.reload()
    await button(page, 'Menu').waitFor()
    expect(await page.getByRole('complementary', { name: 'Sidebar', includeHidden: true }).count()).toBe(0)
    await press(page, 'Menu')
    const menu = page.getByRole('dialog')
    for (const text of ['My Boards', 'A board with a ra...', 'Account', 'Profile', `© ${new Date().getFullYear()} wrk`])
      await menu.getByText(text, { exact: true }).waitFor()
    await failsOnce(page, 'auth.logout')
    await menu.getByText('Log Out', { exact: true }).click()
    await told(page, 'Logout Failed', 'Could not log out. Please try again.')
    await menu.getByText('Log Out').click()
    await page.waitForURL('**/login')
  })
})

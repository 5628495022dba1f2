import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { browser } from '../support/browser'
import { inChromium, register, signUp } from '../support/chromium'
import { PASSWORD } from '../support/people'
import { drivenIn, leads, row, says, told } from '../support/rows'

/*
 * product.md, row by row, in the running page: what a signed-in user sees (section 2), and what the page says when
 * something goes wrong or well (section 8). Visitors are in visitors.test.ts.
 */

/** Cut to 15 in the sidebar and in the link of the profile, and to 25 in the e-mail. */
const LONG = 'maximiliane-montgomery'
const LONG_BOARD = 'A board with a rather long name'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const failsOnce = (page: Page, call: string) => page.route(`**/trpc/${call}*`, (route) => route.abort(), { times: 1 })
const isTitled = (page: Page, title: string) => page.waitForFunction((wanted) => document.title === wanted, `${title} · wrk`)

inChromium('product.md, for users', (site) => {
  test('sections 2 and 8: the dashboard, its dialogs, the sidebars, the page that does not exist', async () => {
    const page = await site.open('ada')
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await signUp(page, LONG)
    await row('Dashboard: welcome line, plan label, buttons, empty state; the sidebar is empty, too', async () => {
      await says(page, 'Welcome, Maximiliane-montgomery', 'Free Plan', 'Create your first board to start managing tasks')
      await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
      await page.getByRole('navigation', { name: 'My Boards' }).getByText('No boards yet').waitFor()
      expect(await leads(page, 'Upgrade to Pro')).toEqual(['/subscribe'])
      for (const name of ['New Board', 'Create Board']) await button(page, name).first().waitFor()
      await isTitled(page, 'Dashboard')
    })
    await row('Dashboard: three placeholders while loading; a failed read is logged', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      await page.route('**/trpc/*boards.list*', (route) => promise.then(() => route.abort()), { times: 1 })
      await page.reload()
      await page.locator('main ul[aria-busy=true] > li').nth(2).waitFor()
      expect(await page.locator('main ul[aria-busy=true] > li').count()).toBe(3)
      resolve()
      await button(page, 'Try again').click()
      await page.getByRole('heading', { name: 'No boards yet' }).waitFor()
      expect(logged.some((text) => text.startsWith('Something could not be read'))).toBe(true)
    })
    await row('Create New Board: fields, buttons, failure, success; the board is there', async () => {
      await button(page, 'Create Board').click()
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
      await create.click()
      await told(page, 'Board Created', 'Your new board has been created successfully.')
      await page.waitForURL(/\/board\/\d+$/)
      await isTitled(page, LONG_BOARD)
    })
    await row('A card: name, description, members; it leads to its board; 1, 2 or 3 columns by width', async () => {
      await page.goto('/')
      const card = page.locator('main').getByRole('link', { name: LONG_BOARD })
      for (const text of ['No description', '1 member']) await card.getByText(text, { exact: true }).waitFor()
      expect(await card.getAttribute('href')).toMatch(/^\/board\/\d+$/)
      const clamped = card.getByText('No description')
      expect(await clamped.evaluate((text) => getComputedStyle(text).webkitLineClamp)).toBe('2')
      const columns: number[] = []
      for (const width of [390, 820, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        const grid = page.locator('main ul[aria-busy]')
        columns.push(await grid.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length))
      }
      expect(columns).toEqual([1, 2, 3])
    })
    await row('Board creation, upgrade required: the upgrade dialog hides the create dialog, and its texts', async () => {
      await page.locator('main').getByRole('button', { name: 'New Board' }).click()
      await page.getByLabel('Board Name').fill('A second one')
      await button(page, 'Create Board').click()
      const offer = dialog(page, 'Upgrade to Pro')
      for (const text of ['1 board', '$10 CAD', 'per month', 'Unlimited boards', 'Unlimited tasks per board'])
        await offer.getByText(text).first().waitFor()
      for (const text of ['Unlimited collaborators', 'Priority support']) await offer.getByText(text).waitFor()
      expect(await leads(page, 'Upgrade Now')).toEqual(['/subscribe'])
      expect(await dialog(page, 'Create New Board').count()).toBe(0)
      await button(page, 'Maybe Later').click()
      await offer.waitFor({ state: 'detached' })
    })
    await row("A locked board is greyed, says 'Pro Only' and leads to /subscribe", async () => {
      await page.route('**/trpc/*boards.list*', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: (await response.text()).replaceAll('"locked":false', '"locked":true') })
      })
      await page.reload()
      const card = page.locator('main').getByRole('link', { name: LONG_BOARD })
      await card.getByText('Pro Only').waitFor()
      expect(await card.getAttribute('href')).toBe('/subscribe')
      await page.unrouteAll()
    })
    await row("any other path: '404 Page Not Found' and a developer-style hint; /board/new opens the dialog", async () => {
      await page.goto('/no/such/page')
      await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
      await says(page, /No route matches .*Did you forget to add it to the router\?/)
      await isTitled(page, '404')
      await page.goto('/board/new')
      await dialog(page, 'Create New Board').waitFor()
    })
    await row('An avatar falls back to the default image, then to the first letter', async () => {
      await page.route('**/trpc/auth.session*', async (route) => {
        const response = await route.fetch()
        const text = await response.text()
        await route.fulfill({ response, body: text.replace('/images/default-profile.png', '/uploads/avatars/gone.webp') })
      })
      await page.goto('/')
      await page.locator('aside img[src="/images/default-profile.png"]').waitFor()
      await page.route('**/images/default-profile.png', (route) => route.abort())
      await page.reload()
      await page.locator('aside').getByText('MM', { exact: true }).waitFor()
      await page.unrouteAll()
    })
    await row('Mobile header: slide-out sidebar with My Boards, Account and a copyright footer with the year', async () => {
      await page.setViewportSize({ width: 390, height: 800 })
      await page.goto('/')
      await button(page, 'Menu').click()
      const menu = page.getByRole('dialog')
      for (const text of [
        'My Boards',
        'A board with a ra...',
        'Account',
        'Profile',
        'Log Out',
        `© ${new Date().getFullYear()} wrk`,
      ])
        await menu.getByText(text, { exact: true }).waitFor()
    })
    await row('Logging out: failure, then to /login', async () => {
      await failsOnce(page, 'auth.logout')
      await page.getByRole('dialog').getByText('Log Out').click()
      await told(page, 'Logout Failed', 'Could not log out. Please try again.')
      await page.getByRole('dialog').getByText('Log Out').click()
      await page.waitForURL('**/login')
    })
  })

  test('sections 2, 8 and 9: profiles, what is cut and told in full, toasts, board access', async () => {
    const NAME = 'maximiliane-mitterrand'
    const permissions = ['clipboard-read', 'clipboard-write']
    const [page, other] = [await site.open('ada', { permissions }), await site.open('bob', { permissions })]
    await Promise.all([register(page, NAME), register(other, 'bob')])
    await row('Avatar removal failure', async () => {
      await page.route('**/trpc/auth.session*', async (route) => {
        const response = await route.fetch()
        const text = await response.text()
        await route.fulfill({ response, body: text.replace('/images/default-profile.png', '/images/wrk-smart.png') })
      })
      await page.goto(`/${NAME}`)
      await failsOnce(page, 'users.removeAvatar')
      await button(page, 'Remove avatar').click()
      await told(page, 'Removal Failed', 'Could not remove profile image. Please try again.')
      await page.unrouteAll()
    })
    const { origin, host } = new URL(page.url())
    await row('Own profile: four tabs, the profile link cut, copied whole for 2 seconds', async () => {
      for (const name of ['Profile', 'Notifications', 'Subscription', 'Support'])
        await page.getByRole('tab', { name, exact: true }).waitFor()
      await says(page, `${host}/maximiliane-mit...`)
      expect(await leads(page, 'Your public profile')).toEqual([`/${NAME}?public=true`])
      await button(page, 'Copy the profile link').click()
      await told(page, 'Link Copied')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${origin}/${NAME}`)
      await isTitled(page, 'Maximiliane-mitterrand')
    })
    await row('What is cut shows all of it after 300 ms of pointing: in the sidebar, and on profiles', async () => {
      await other.clock.install()
      await other.goto(`/${NAME}`)
      const cut = [other.getByText(`${host}/maximiliane-mit...`), other.getByText('maximiliane-mitterrand@ex...')]
      await Promise.all(cut.map((text) => text.waitFor()))
      await other.clock.pauseAt(Date.now() + 60_000)
      for (const [nth, text] of cut.entries()) {
        await other.mouse.move(0, 0)
        await text.hover()
        await other.clock.runFor(290)
        if (nth === 0) expect(await other.getByRole('tooltip').count()).toBe(0)
        await other.clock.runFor(20)
        await other.getByRole('tooltip', { name: nth === 0 ? `${origin}/${NAME}` : `${NAME}@example.com` }).waitFor()
        await other.mouse.move(0, 0)
        await other.clock.runFor(1_000)
      }
      await other.clock.resume()
      const own = page.locator('aside').getByText('Maximiliane-...', { exact: true })
      await own.hover()
      await page.getByRole('tooltip', { name: 'Maximiliane-mitterrand' }).waitFor()
    })
    await row("Someone else's profile: e-mail with copy, Email, Manage Board Access", async () => {
      await button(other, 'Copy the email address').click()
      await told(other, 'Email Copied')
      expect(await other.evaluate(() => navigator.clipboard.readText())).toBe(`${NAME}@example.com`)
      expect(await leads(other, 'Email')).toEqual([`mailto:${NAME}@example.com`])
      await button(other, 'Manage Board Access').waitFor()
    })
    await row('Notifications: five switches and what they are for', async () => {
      await page.getByRole('tab', { name: 'Notifications' }).click()
      await says(page, 'Email Notifications', 'Task Assignment', 'New Comments', 'Board Updates', 'Time Entries')
      await says(page, /when you are assigned to a task/i, /when someone comments on your tasks/i)
      await says(page, /when boards you are a member of are updated/i, /when time is logged on tasks in your boards/i)
    })
    await row('Support for Free: e-mail, a reply within 72 hours', async () => {
      await page.getByRole('tab', { name: 'Support' }).click()
      await page.getByRole('heading', { name: 'Customer Support' }).waitFor()
      await says(page, /within 72 hours/)
    })
    await row('/{username}?edit=true: the edit dialog with its fields', async () => {
      await page.goto(`/${NAME}?edit=true`)
      const form = dialog(page, 'Edit Profile')
      expect(await form.getByLabel('Name', { exact: true }).getAttribute('placeholder')).toBe('Your name')
      await form.getByText(`This changes your profile URL: ${host}/${NAME}`).waitFor()
      expect(await form.getByLabel('Description').getAttribute('rows')).toBe('3')
      for (const name of ['Cancel', 'Save Changes']) await form.getByRole('button', { name }).waitFor()
    })
    await row(
      'Toasts: at the top, or bottom right on wide screens, but off the buttons of a dialog; 420 px wide at most',
      async () => {
        const boxes = async () => {
          const box = await page.getByRole('listitem').filter({ hasText: 'Update Failed' }).boundingBox()
          return box ?? expect.unreachable()
        }
        const form = dialog(page, 'Edit Profile')
        await form.getByLabel('Name', { exact: true }).fill('Max')
        await failsOnce(page, 'users.update')
        await form.getByRole('button', { name: 'Save Changes' }).click()
        await says(page, 'Could not update your profile. Please try again.')
        expect((await boxes()).y).toBeLessThan(80)
        await form.getByRole('button', { name: 'Cancel' }).click()
        await form.waitFor({ state: 'detached' })
        const wide = await boxes()
        expect(wide.width).toBeLessThanOrEqual(420)
        expect([wide.x + wide.width > 1_200, wide.y > 600]).toEqual([true, true])
        await page.setViewportSize({ width: 390, height: 800 })
        expect((await boxes()).y).toBeLessThan(200)
        await page.setViewportSize({ width: 1280, height: 800 })
        await button(page, 'Dismiss').click()
      },
    )
    const create = async (of: Page, name: string, ...members: string[]) => {
      const { id } = await (await of.request.post('/api/boards', { data: { name } })).json()
      for (const username of members) await of.request.post(`/api/boards/${id}/members`, { data: { username } })
      return Number(id)
    }
    const carl = await site.open('carl')
    await register(carl, 'carl')
    await Promise.all([create(page, 'Own', 'bob'), create(carl, 'His', NAME)])
    await row('Board access: a list 220 px high; additions and removals are summed', async () => {
      await page.goto('/bob')
      await button(page, 'Manage Board Access').click()
      const access = dialog(page, 'Manage Board Access')
      await access.getByRole('checkbox', { name: 'Own' }).uncheck()
      await access.getByRole('checkbox', { name: 'His' }).check()
      expect((await access.getByRole('list', { name: 'Your boards' }).boundingBox())?.height).toBe(220)
      await button(page, 'Apply Changes').click()
      await told(page, 'Board Access Updated', 'Added to 1 board(s) and removed from 1 board(s).')
    })
    await row('Avatar group: 5, then how many more; an avatar leads to its profile, the own one to its editing', async () => {
      const others = ['dan', 'eve', 'fay']
      const arrive = (username: string) =>
        browser(origin).http('POST', '/api/auth/register', { username, email: `${username}@example.com`, password: PASSWORD })
      await Promise.all(others.map(arrive))
      const id = await create(other, 'Many', NAME, 'carl', ...others)
      await page.goto(`/board/${id}`)
      const group = page.locator('main header').getByRole('list').filter({ hasText: '+1' })
      await group.waitFor()
      expect(await group.getByRole('link').count()).toBe(5)
      expect(await group.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toContain(
        `/${NAME}?edit=true`,
      )
      expect(await group.getByRole('link', { name: 'Bob' }).getAttribute('href')).toBe('/bob')
    })
  })

  drivenIn('people.test.ts', {
    'User Not Found': ["The user you're looking for doesn't exist."],
    'avatars, their refusals and their toasts': [
      ...['Invalid File Type', 'Please select an image file (JPEG, PNG, etc.).', 'File Too Large'],
      ...['Please select an image smaller than 5MB.', 'Could not upload image. Please try again.'],
      ...['Your avatar image has been uploaded.', 'Your profile image has been reset to default.'],
    ],
    'notifications: the master sets the others off, a failure reverts': [
      'Your preferences have been saved.',
      'Could not update notification settings. Please try again.',
    ],
    'the profile is saved, and its address follows': [
      'Could not update your profile. Please try again.',
      'Your profile has been updated successfully.',
      "url.pathname === '/khayyam'",
    ],
    'Support leads to Subscription': ["'Free Plan'", 'Booking is not set up'],
    'Manage Board Access': [
      ...["You don't have any boards yet.", 'Create a Board', "'Creator'", "'Member'", 'Apply Changes'],
      ...['Board creators cannot be removed from their own boards.', 'Failed to update board access. Please try again.'],
      ...['Invited to 1 board(s). 1 operation(s) failed.', 'Removed from 1 board(s).'],
    ],
  })
  drivenIn('billing.test.ts', {
    'the upgrade page: set up, failed, declined, paid, and who is Pro or signed out': [
      ...['Setting up payment...', 'Could not set up subscription. Please try again later.', 'Your card was declined.'],
      ...['An unexpected error occurred. Please try again.', 'You are now subscribed to the Pro plan!'],
      ...['You are already subscribed to the Pro plan.', 'Please log in to continue with the subscription.'],
    ],
    'back from paying': [
      'You are now subscribed to the Pro plan with unlimited boards',
      'Subscription activated successfully!',
      "url.pathname === '/' && url.search === ''",
    ],
    'the tab Subscription: Active, Cancelling, cancelled and resumed': [
      ...["'Active'", "'Cancelling'", 'Keep Subscription', 'Yes, Cancel Subscription', 'Subscription Cancelled'],
      ...['Failed to cancel your subscription. Please try again.', 'Failed to resume your subscription. Please try again.'],
      ...['Subscription Resumed', 'regular billing cycle'],
    ],
  })
  drivenIn('card.test.ts', {
    'the embedded card form, declined with the provider’s words': ['Your card has insufficient funds.'],
  })
  drivenIn('together.test.ts', {
    'Removal from the open board, and the way home': ['Access Removed', 'You no longer have access to this board.'],
  })
})

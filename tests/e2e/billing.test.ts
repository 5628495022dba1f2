import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { forget, inChromium, register } from '../support/chromium'
import { button, dialog, isOn, keys, press, shows, toast } from '../support/page'

const text = (page: Page, what: string) => page.getByText(what, { exact: true }).first()
const subscribe = (page: Page) => button(page, 'Subscribe for $10 CAD/month')

/** Notes words that go with the page that says them. */
const noteWhenSaid = (page: Page, words: string) =>
  page.evaluate((awaited) => {
    const look = () => document.body.textContent.includes(awaited) && sessionStorage.setItem(awaited, 'said')
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true })
  }, words)

/** Pays without a page, as somebody does on another device. */
async function payElsewhere({ request }: Page) {
  const { clientSecret } = await (await request.post('/api/get-or-create-subscription')).json()
  expect((await request.post('/api/dev/checkout', { data: { clientSecret, outcome: 'paid' } })).status()).toBe(200)
}

inChromium('the plans, with the simulated checkout', (site) => {
  test('Pro is bought; the other pages follow at once', async () => {
    const page = await site.dashboard('ada', { colorScheme: 'dark' })
    await page.request.post('/api/boards', { data: { name: 'First' } })
    const other = await page.context().newPage()
    await other.goto('/')
    await text(other, 'Free Plan').waitFor()

    // What is set up is waited for, may fail, and is tried again.
    await page.route('**/trpc/billing.setUp*', (route) => route.abort(), { times: 1 })
    await page.getByRole('link', { name: 'Upgrade to Pro' }).click()
    await toast(page, 'Subscription Setup Failed', 'Could not set up subscription. Please try again later.')
    await page.getByRole('heading', { name: 'Upgrade to Pro' }).waitFor()
    await page.getByRole('link', { name: 'Return to Dashboard' }).waitFor()
    await page.route('**/trpc/billing.setUp*', async (route) => {
      await text(page, 'Setting up payment...').waitFor()
      await route.continue()
    })
    await page.reload()
    await page.getByText('Simulated checkout: no card is charged', { exact: false }).waitFor()
    await findsNothing(page, 'the simulated checkout')

    await button(page, 'Simulate a declined card').click()
    await toast(page, 'Payment Failed', 'Your card was declined.')
    await page.route('**/trpc/billing.simulatePayment*', (route) => route.abort(), { times: 1 })
    await subscribe(page).click()
    await toast(page, 'Payment Error', 'An unexpected error occurred. Please try again.')

    // However often one clicks, it is paid once, and not again while that is under way.
    let payments = 0
    await page.route('**/trpc/billing.simulatePayment*', async (route) => {
      payments += 1
      await page.locator('button[type=submit]:disabled').waitFor()
      await route.continue()
    })
    const words = 'You are now subscribed to the Pro plan!'
    await noteWhenSaid(page, words)
    await subscribe(page).evaluate((pay: HTMLButtonElement) => {
      pay.click()
      pay.click()
    })
    await toast(page, 'Payment Successful', 'You are now subscribed to the Pro plan with unlimited boards')
    expect(await page.evaluate((said) => sessionStorage.getItem(said), words)).toBe('said')
    await text(page, 'Subscription activated successfully!').waitFor()
    await page.waitForURL((url) => url.pathname === '/' && url.search === '')
    await text(page, 'Pro Plan').waitFor()
    expect(payments).toBe(1)
    await text(other, 'Pro Plan').waitFor()
    await other.getByRole('link', { name: 'Upgrade to Pro' }).waitFor({ state: 'detached' })
    await page.goto('/subscribe')
    await toast(page, 'Already Subscribed', 'You are already subscribed to the Pro plan.')
    await page.waitForURL((url) => url.pathname === '/ada')
  })

  test('Pro is cancelled, resumed and ended; the other pages follow at once', async () => {
    const page = await site.dashboard('eli')
    await page.request.post('/api/boards', { data: { name: 'First' } })
    await payElsewhere(page)
    const second = await (await page.request.post('/api/boards', { data: { name: 'Second' } })).json()
    await page.request.post(`/api/boards/${second.id}/tasks`, { data: { title: 'Order paper' } })
    const [other, profile] = await Promise.all([page.context().newPage(), page.context().newPage()])
    await other.goto(`/board/${second.id}`)
    await other.getByRole('heading', { name: 'Second' }).waitFor()
    await page.goto('/eli?tab=subscription')
    await text(page, 'Active').waitFor()
    await page.getByText(/^Renews on \w+ \d+, \d{4}$/).waitFor()
    await profile.goto('/eli?tab=subscription')
    await text(profile, 'Active').waitFor()

    await button(page, 'Cancel Subscription').click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('can resume your subscription any time before then').waitFor()
    await findsNothing(page, 'the cancelling')
    await button(page, 'Keep Subscription').click()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.querySelector(':focus')?.textContent === 'Cancel Subscription')
    await page.keyboard.press('Enter')
    await page.route('**/trpc/billing.cancel*', (route) => route.abort(), { times: 1 })
    await button(page, 'Yes, Cancel Subscription').click()
    await toast(page, 'Error', 'Failed to cancel your subscription. Please try again.')
    await button(page, 'Yes, Cancel Subscription').click()
    await toast(page, 'Subscription Cancelled')
    await Promise.all([page, profile].map((one) => text(one, 'Cancelling').waitFor()))
    await profile.getByText(/^Ends on /).waitFor()

    await button(profile, 'Resume Subscription').click()
    await profile.getByRole('alertdialog').getByText('regular billing cycle', { exact: false }).waitFor()
    await profile.route('**/trpc/billing.resume*', (route) => route.abort(), { times: 1 })
    await profile.getByRole('alertdialog').getByRole('button', { name: 'Resume Subscription' }).click()
    await toast(profile, 'Error', 'Failed to resume your subscription. Please try again.')
    await profile.getByRole('alertdialog').getByRole('button', { name: 'Resume Subscription' }).click()
    await toast(profile, 'Subscription Resumed')
    await Promise.all([page, profile].map((one) => text(one, 'Active').waitFor()))

    await button(page, 'End billing period').click()
    await page.getByText(/^Your subscription was renewed and now runs until \w+ \d+, \d{4}\.$/).waitFor()
    await page.request.post('/api/cancel-subscription')
    await text(page, 'Cancelling').waitFor()
    await button(page, 'End billing period').click()
    await toast(page, 'Billing Period Ended', 'Your subscription has ended, and you are on the Free plan.')
    await Promise.all([page, profile].map((one) => text(one, 'Free Plan').waitFor()))
    await other.getByText('This board is read-only because', { exact: false }).waitFor()
    expect(await other.getByRole('button', { name: 'Add Task' }).count()).toBe(0)
    await button(other, 'Invite Members').click()
    await other.getByText('you cannot invite anyone to it', { exact: false }).getByRole('link').waitFor()
    await other.keyboard.press('Escape')
    await isOn(other, 'Invite Members')
    // Nor does a key change a card there: all but the last does nothing.
    const only = other.locator('[data-task]')
    await only.focus()
    await keys(other, 'x', 'a', 'd', 'm', 'e', '3', 'Shift+ArrowDown', 'Enter')
    await other.getByRole('dialog', { name: 'Order paper' }).waitFor()
    await other.keyboard.press('Escape')
    await only.click({ modifiers: ['ControlOrMeta'] })
    await other.getByRole('dialog', { name: 'Order paper' }).waitFor()
    await other.keyboard.press('Escape')
    await shows(other, 'To Do', ['Order paper'])
    expect(await other.getByRole('region', { name: 'Selected tasks' }).count()).toBe(0)

    // On a board that is locked, the plan comes back as it is bought anywhere.
    await payElsewhere(page)
    await other.getByText('This board is read-only because', { exact: false }).waitFor({ state: 'detached' })
    await other.getByRole('button', { name: 'Add Task' }).first().waitFor()
  })

  test('the offer of Pro goes when it is bought elsewhere, and a board can be made then', async () => {
    const page = await site.dashboard('fay')
    await page.request.post('/api/boards', { data: { name: 'First' } })
    await page.goto('/')
    const newBoard = async () => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('new board')
      await page.getByRole('option', { name: 'New board' }).click()
      await dialog(page, 'Create New Board').waitFor()
    }
    await page.getByRole('main').getByRole('link', { name: 'First' }).first().waitFor()
    await newBoard()
    await page.getByLabel('Board Name').fill('Second')
    await press(page, 'Create Board')
    await dialog(page, 'Upgrade to Pro').waitFor()
    await payElsewhere(page)
    await dialog(page, 'Upgrade to Pro').waitFor({ state: 'detached' })
    await newBoard()
    await press(page, 'Create Board')
    await page.getByRole('heading', { name: 'Second' }).waitFor()
  })

  test('whoever has not paid is told so, and of a payment that comes later', async () => {
    const page = await site.open('bob')
    await page.goto('/subscribe')
    await toast(page, 'Authentication Required', 'Please log in to continue with the subscription.')
    await page.waitForURL('**/login')
    await register(page, 'bob')
    await page.goto('/?payment_success=true&redirect_status=failed')
    await toast(page, 'Payment Failed', 'Your bank did not confirm the payment. Nothing was charged.')
    await page.getByRole('link', { name: 'Try again' }).click()
    await subscribe(page).waitFor()

    await page.route('**/trpc/*billing.status*', (route) => route.abort())
    // Not even for a moment is it said to have been paid.
    await page.addInitScript(() => {
      const look = () => {
        if (document.documentElement.textContent.includes('Payment Successful')) sessionStorage.setItem('flashed', 'yes')
      }
      new MutationObserver(look).observe(document, { subtree: true, childList: true })
    })
    await page.goto('/?payment_success=true')
    await text(page, 'Your payment is not confirmed yet.').waitFor()
    await page.waitForURL((url) => url.pathname === '/' && url.search === '')
    expect(await page.evaluate(() => sessionStorage.getItem('flashed'))).toBeNull()
    await payElsewhere(page)
    await toast(page, 'Payment Successful', 'You are now subscribed to the Pro plan with unlimited boards')
    await text(page, 'Subscription activated successfully!').waitFor()
    await text(page, 'Pro Plan').waitFor()
    // It is said once.
    await page.reload()
    await text(page, 'Pro Plan').waitFor()
    expect(await page.getByText('Subscription activated').count()).toBe(0)
    await forget(page)
  })
})

import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { users } from '../../src/db/tables'
import { findsNothing } from '../support/axe'
import { inChromium, register } from '../support/chromium'
import { openQuick } from '../support/databases'
import { button, isOn, toast } from '../support/page'
import { stripe } from '../support/stripe'
import { stripeJs } from '../support/stripeJs'

const provider = stripe()
afterAll(() => provider.remove())

const text = (page: Page, what: string) => page.getByText(what, { exact: true }).first()
const subscribe = (page: Page) => page.getByRole('button', { name: 'Subscribe for $10 CAD/month', exact: true })
const FRAME = 'iframe[title="Secure payment input frame"]'
const type = (page: Page, number: string) => page.frameLocator(FRAME).getByLabel('Card number').fill(number)

/** The money is there, and Stripe tells the server. */
async function paid(page: Page, clientSecret: string) {
  expect(await provider.tell(new URL(page.url()).origin, provider.pay(clientSecret))).toBe(200)
}

inChromium(
  'the card form, with a stand-in for Stripe',
  (site) => {
    test('is there when Stripe is; takes a card once; and what was typed elsewhere is kept', async () => {
      const page = await site.open('cleo')
      const other = await page.context().newPage()
      const stand = await stripeJs(page.context(), async ({ card, clientSecret }) => {
        if (card !== '4242') return { error: { message: 'Your card has insufficient funds.' } }
        // Stripe tells the server first: this page hears of its plan before it hears of its payment.
        await page.locator('button[type=submit]:disabled').waitFor()
        await paid(page, clientSecret)
        await text(other, 'Pro Plan').waitFor()
        return {}
      })
      await register(page, 'cleo')
      await page.request.post('/api/boards', { data: { name: 'First' } })
      await page.goto('/')
      await other.goto('/')
      await text(other, 'Free Plan').waitFor()
      await page.getByRole('button', { name: 'New Board' }).first().click()
      await page.getByLabel('Board Name').fill('A board to pay for')
      expect(stand.asked).toBe(0)

      provider.behave('is down')
      await page.getByRole('dialog').getByRole('link', { name: 'Upgrade to Pro' }).click()
      await toast(page, 'Subscription Setup Failed', 'Could not set up subscription. Please try again later.')
      await page.getByText('The payment provider could not be reached.', { exact: false }).waitFor()
      provider.behave('works')
      stand.loads = async () => false
      await page.getByRole('button', { name: 'Try again' }).click()
      await text(page, 'Could not set up subscription. Please try again later. Nothing was charged.').waitFor()
      stand.loads = () =>
        text(page, 'Setting up payment...')
          .waitFor()
          .then(() => true)
      await page.reload()

      await type(page, '4000')
      // In our colours, although a change of colours takes its time where motion is reduced.
      expect(await page.locator(FRAME).getAttribute('data-background')).toBe('rgb(255, 255, 255)')
      await subscribe(page).click()
      await toast(page, 'Payment Failed', 'Your card has insufficient funds.')
      await type(page, '4242')
      await page.locator('button[type=submit]:enabled').waitFor()
      await findsNothing(page, 'the card form')
      const { confirmed } = stand
      await subscribe(page).evaluate((pay: HTMLButtonElement) => {
        pay.click()
        pay.click()
      })
      await toast(page, 'Payment Successful', 'You are now subscribed to the Pro plan with unlimited boards')
      await text(page, 'Subscription activated successfully!').waitFor()
      expect(stand.confirmed - confirmed).toBe(1)
      // Nothing of Stripe stays behind, and the way back does not lead to a form that is done.
      expect(await page.evaluate(() => 'Stripe' in window)).toBe(false)
      await page.getByRole('button', { name: 'New Board' }).first().click()
      expect(await page.getByLabel('Board Name').inputValue()).toBe('A board to pay for')
    })

    test('comes back from the bank: refused, or confirmed, though Stripe tells the server later', async () => {
      const page = await site.open('dana')
      let secret = ''
      await stripeJs(page.context(), async ({ clientSecret }) => {
        secret = clientSecret
        return { bank: true }
      })
      await register(page, 'dana')
      const pay = async (answer: 'Confirm' | 'Refuse') => {
        await type(page, '3155')
        await subscribe(page).click()
        await page.getByRole('link', { name: answer }).click()
        await page.waitForURL((url) => url.pathname === '/' && url.search === '')
      }
      provider.behave('is down')
      await page.goto('/subscribe')
      await button(page, 'Try again').press('Enter')
      await isOn(page, 'Subscription Setup Failed')
      provider.behave('works')
      await button(page, 'Try again').press('Enter')
      await isOn(page, 'Card details')
      await type(page, '3155')
      await subscribe(page).click()
      await page.getByRole('link', { name: 'Confirm' }).waitFor()
      await page.goBack()
      await pay('Refuse')
      await toast(page, 'Payment Failed', 'Your bank did not confirm the payment. Nothing was charged.')
      await page.getByRole('link', { name: 'Try again' }).click()
      await pay('Confirm')
      await text(page, 'Your payment is not confirmed yet.').waitFor()
      await paid(page, secret)
      await text(page, 'Subscription activated successfully!').waitFor()
      await text(page, 'Pro Plan').waitFor()

      // The next month's payment fails.
      const failed = provider.change(secret.replace('_secret', ''), { status: 'past_due' }, 'invoice.payment_failed')
      await page.goto('/dana?tab=subscription')
      await page.getByText(/^Renews on /).waitFor()
      expect(await provider.tell(new URL(page.url()).origin, failed)).toBe(200)
      await page.getByText(/^Your last payment failed\. Pay by \w+ \d+, \d{4} to keep Pro\.$/).waitFor()
      await findsNothing(page, 'the failed payment')
      await page.route('https://invoice.stripe.test/**', (route) => route.fulfill({ body: 'Pay this invoice' }))
      await button(page, 'Pay now').click()
      await text(page, 'Pay this invoice').waitFor()
      provider.pay(secret)
      await page.goBack()
      // Stripe has not told of it yet: asking for the invoice shows that it is paid.
      await button(page, 'Pay now').click()
      await toast(page, 'Error', 'There is no unpaid invoice.')
      await page.getByText(/^Renews on /).waitFor()
    })

    test('Pro that an operator gave is no payment', async () => {
      const page = await site.open('gus')
      await register(page, 'gus')
      const { db } = await openQuick()
      await db.update(users).set({ isPro: true, proGiven: true }).where(eq(users.username, 'gus'))
      const asked = page.waitForResponse((response) => response.url().includes('billing.status'))
      await page.goto('/?payment_success=true')
      await asked
      await text(page, 'Pro Plan').waitFor()
      await page.waitForURL((url) => url.pathname === '/' && url.search === '')
      expect(await page.getByText('Subscription activated successfully!').count()).toBe(0)
    })
  },
  provider.env,
)

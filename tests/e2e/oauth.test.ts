import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium, register } from '../support/chromium'
import { openIdIssuer } from '../support/issuer'
import { toast } from '../support/page'

const issuer = await openIdIssuer()
afterAll(() => issuer.stop())

/** From the button to the issuer, and back as `sub`. */
async function continueAs(page: Page, sub: string) {
  await page.getByRole('link', { name: 'Continue with Guild' }).click()
  await page.getByLabel('Who are you?').fill(sub)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

inChromium(
  'signing in elsewhere',
  (site) => {
    test('leads from the button to the dashboard, and to the same account again', async () => {
      issuer.knows('nina', { email: 'nina@example.com', email_verified: true, name: 'Nina Berg' })
      const page = await site.open('nina')
      await page.goto('/login')
      await continueAs(page, 'nina')
      await page.getByText('Welcome, Nina Berg').waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
      const { id } = await (await page.request.get('/api/auth/me')).json()
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByRole('tab', { name: 'Register' }).click()
      // The issuer still knows who it is, and asks nothing.
      await page.getByRole('link', { name: 'Continue with Guild' }).click()
      await page.getByText('Welcome, Nina Berg').waitFor()
      expect(await (await page.request.get('/api/auth/me')).json()).toMatchObject({ id, username: 'nina' })
    })

    test('goes on to where one was invited', async () => {
      issuer.knows('omar', { email: 'omar@example.com', email_verified: true })
      const page = await site.open('omar')
      await page.goto('/login')
      await page.evaluate(() => {
        sessionStorage.setItem('inviteRedirect', '/terms')
        sessionStorage.setItem('inviteRedirectLimits', JSON.stringify({ until: Date.now() + 60_000 }))
      })
      await continueAs(page, 'omar')
      await page.waitForURL('**/terms')
    })

    test('goes back to where one had to sign in', async () => {
      issuer.knows('olaf', { email: 'olaf@example.com', email_verified: true, name: 'Olaf' })
      const page = await site.open('olaf')
      await page.goto('/somebody?tab=support')
      await page.waitForURL('**/login')
      await continueAs(page, 'olaf')
      await page.getByRole('heading', { name: 'User Not Found' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/somebody')
    })

    test('joins the account with the same email', async () => {
      issuer.knows('pia', { email: 'pia@example.com', email_verified: true })
      const [before, after] = await Promise.all([site.open('pia'), site.open('pia elsewhere')])
      await register(before, 'pia')
      const boards = await before.request.post('/api/boards', { data: { name: 'Pottery' } })
      expect(boards.status()).toBe(201)
      await after.goto('/login')
      await continueAs(after, 'pia')
      await after.getByText('Pottery').first().waitFor()
    })

    test('that fails or is declined says so at the login page, and can be tried again', async () => {
      issuer.knows('quin', { email: 'quin@example.com', email_verified: false })
      const page = await site.open('quin')
      await page.goto('/login')
      await continueAs(page, 'quin')
      await toast(page, 'Login Failed', 'Authentication failed. Please try again with valid credentials.')
      expect(new URL(page.url()).search).toBe('')
      const other = await site.open('rosa')
      await other.goto('/login')
      await other.getByRole('link', { name: 'Continue with Guild' }).click()
      await other.getByRole('button', { name: 'Cancel' }).click()
      await toast(other, 'Login Failed', 'Authentication failed. Please try again with valid credentials.')
      issuer.knows('rosa', { email: 'rosa@example.com', email_verified: true, name: 'Rosa' })
      await continueAs(other, 'rosa')
      await other.getByText('Welcome, Rosa').waitFor()
    })
  },
  issuer.env,
)

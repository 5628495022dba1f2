import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Locator, Page } from 'playwright-core'
import { createSetupToken } from '../../src/auth/server/store'
import { firstAccount, mails, users } from '../../src/db/tables'
import { findsNothing } from '../support/axe'
import { inChromium, register, registerUnproven, sharedBoard, signUp } from '../support/chromium'
import { openQuick } from '../support/databases'
import { openIdIssuer } from '../support/issuer'
import { button, choose, dialog, leads, leave, logIn, press, says, told } from '../support/page'
import { createAccount, PASSWORD } from '../support/people'

const issuer = await openIdIssuer()
afterAll(() => issuer.stop())

/** Of a phone, a tablet and a screen, light and dark by turns. */
const LOOKS = [
  [390, 'dark'],
  [820, 'light'],
  [1440, 'dark'],
] as const

async function isFineEverywhere(page: Page, where: string): Promise<void> {
  for (const [width, colorScheme] of LOOKS) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    if (width !== 820) await findsNothing(page, `${where}, ${width} px, ${colorScheme}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

const password = (within: Locator) => within.getByLabel('Your password', { exact: true })
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

/** Only an open socket is told why its session ends. */
const noteOpenSocket = (page: Page) =>
  page.addInitScript(() => {
    const note = () => document.documentElement.setAttribute('data-socket', 'open')
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL) {
        super(url)
        this.addEventListener('open', note)
      }
    }
  })

inChromium('the operator’s page', ({ open }) => {
  test('is for operators, who change what people have, and see what fails', async () => {
    const { db } = await openQuick()
    const [olga, ada] = [await open('olga'), await open('ada')]
    await register(ada, 'ida')
    await signUp(olga, 'olga')
    expect(await olga.getByRole('link', { name: 'Operator' }).count()).toBe(0)
    await db.update(users).set({ operator: true }).where(eq(users.username, 'olga'))
    await db.update(users).set({ operator: false }).where(eq(users.username, 'ida'))
    await ada.goto('/operator')
    await says(ada, '404 Page Not Found')
    const gus = await createAccount(db, { username: 'gus', email: 'gus@example.com' })
    const noor = await open('noor')
    const board = await sharedBoard(noor, null, ['noor', 'hal'], [], [])
    await db.insert(mails).values({
      recipient: 'lost@example.com',
      subject: 'x',
      text: 'x',
      html: 'x',
      state: 'failed',
      lastError: 'No such mailbox',
    })
    await olga.goto('/')
    await olga.getByRole('link', { name: 'Operator' }).click()
    await says(olga, 'gus@example.com')
    await isFineEverywhere(olga, 'people')
    await choose(olga, 'Menu for gus', 'Give Pro')
    await told(olga, 'gus is now on Pro')
    await row(olga, 'gus@').getByText('Pro, free of charge').waitFor()
    await choose(olga, 'Menu for gus', 'Create reset link…')
    const linking = dialog(olga, 'Reset link for gus')
    expect(await button(olga, 'Create link').isDisabled()).toBe(true)
    await password(linking).fill('not my password')
    await press(olga, 'Create link')
    await linking.getByText('The current password is incorrect.').waitFor()
    await told(olga, 'Request Failed')
    expect(await password(linking).inputValue()).toBe('not my password')
    await findsNothing(olga, 'asked for the password')
    await leave(linking)
    await choose(olga, 'Menu for gus', 'Create reset link…')
    await linking.waitFor()
    expect(await linking.getByText('The current password is incorrect.').count()).toBe(0)
    await password(linking).fill(PASSWORD)
    await press(olga, 'Create link')
    const link = await linking.getByLabel('Link', { exact: true }).inputValue()
    expect(link).toContain('/auth/verify?token=')
    await olga.keyboard.press('Escape')
    await choose(olga, 'Menu for gus', 'Change email…')
    await dialog(olga, 'New email for gus').getByLabel('Email').fill('gus@new.example')
    await password(dialog(olga, 'New email for gus')).fill(PASSWORD)
    await press(olga, 'Change email')
    await told(olga, 'Email Changed')
    await row(olga, 'gus@new.example').getByText('Email not confirmed').waitFor()
    await choose(olga, 'Menu for gus', 'Make operator…')
    await password(dialog(olga, 'Make gus an operator?')).fill(PASSWORD)
    await press(olga, 'Make operator')
    await told(olga, 'gus is an operator')
    await choose(olga, 'Menu for gus', 'Disable…')
    await press(olga, 'Cancel')
    await olga.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Menu for gus')
    await choose(olga, 'Menu for gus', 'Disable…')
    await press(olga, 'Disable')
    await told(olga, 'gus’s account is disabled')
    const ida = { page: ada, id: (await (await ada.request.get('/api/auth/me')).json()).id }
    await noteOpenSocket(ida.page)
    await ida.page.goto('/')
    await ida.page.locator('html[data-socket=open]').waitFor()
    expect((await olga.request.post(`/api/operator/users/${ida.id}/disable`)).status()).toBe(200)
    await ida.page.waitForURL('**/login')
    await says(ida.page, 'This account is disabled. Please contact this server’s operator.')
    await row(olga, 'gus@').getByText('Disabled').waitFor()
    const whole = olga.getByLabel('Also delete their comments and files on all boards')
    await choose(olga, 'Menu for gus', 'Delete…')
    await whole.click()
    await press(olga, 'Cancel')
    await choose(olga, 'Menu for gus', 'Delete…')
    expect(await whole.isChecked()).toBe(false)
    await press(olga, 'Cancel')
    await olga.getByLabel('Search people by name or email').fill('nobody at all')
    await says(olga, 'Nothing found for “nobody at all”.')
    await olga.getByRole('tab', { name: 'Boards' }).click()
    await press(olga, 'Hand over Spring catalogue')
    await dialog(olga, 'Hand over “Spring catalogue”').getByLabel('New creator').selectOption('Hal')
    await password(dialog(olga, 'Hand over “Spring catalogue”')).fill(PASSWORD)
    await press(olga, 'Hand over')
    await told(olga, 'Board Handed Over')
    await says(olga, 'Created by Hal')
    for (const email of ['one', 'two']) {
      const data = { email: `${email}@guests.example` }
      expect((await noor.request.post(`/api/boards/${board}/members`, { data })).status()).toBe(201)
    }
    await olga.getByRole('tab', { name: 'Invitations' }).click()
    await button(olga, 'Revoke the invitation to two@guests.example').press('Enter')
    const focused = (text: string) => olga.waitForFunction((part) => document.querySelector(':focus')?.textContent === part, text)
    await row(olga, 'two@').waitFor({ state: 'detached' })
    await olga.keyboard.press('Enter')
    await focused('No open invitations.')
    await olga.goto('/operator?part=server')
    await says(olga, 'lost@example.com', 'No such mailbox', 'None yet')
    await isFineEverywhere(olga, 'server')
    await press(olga, 'Resend the email to lost@example.com')
    await told(olga, 'Email Resent')
    await says(olga, 'No failed emails.')
    expect([gus.user.id, board].every((id) => id > 0)).toBe(true)
  })

  test('what they did to an account is shown to its owner', async () => {
    const { db } = await openQuick()
    const [ola, owner] = [await open('ola'), await open('kim')]
    await register(ola, 'ola')
    await db.update(users).set({ operator: true }).where(eq(users.username, 'ola'))
    const { user } = await createAccount(db, { username: 'kim', email: 'kim@example.com' })
    const made = await ola.request.post(`/api/operator/users/${user.id}/reset-link`, { data: { password: PASSWORD } })
    await owner.goto((await made.json()).link)
    await press(owner, 'Sign in')
    await press(owner, 'Not now')
    await owner.goto('/kim?tab=security')
    await says(
      owner,
      'Operator activity',
      /created a link that someone then used to sign in/,
      'Signed in with a link that ola, an operator, created',
    )
    await isFineEverywhere(owner, 'what operators did')
  })
})

inChromium(
  'the page to which the setup link leads',
  ({ open }) => {
    test('makes whoever opens it the operator, new or not, and says when it is over', async () => {
      const { db } = await openQuick()
      const link = async () => `/setup?token=${await createSetupToken(db)}`
      const [olga, ida] = [await open('olga'), await open('ida')]
      await register(ida, 'ida')
      await ida.goto('/operator')
      await says(ida, 'This server has no operator yet', /“wrk setup”/)
      await findsNothing(ida, 'no operator')
      await olga.goto(await link())
      await says(olga, 'Set up your server.', /This server has no operator yet/)
      await isFineEverywhere(olga, 'setup')
      await olga.getByRole('tab', { name: 'Log In' }).click()
      await olga.getByRole('tab', { name: 'Register' }).click()
      await olga.reload()
      await olga.getByLabel('Username').fill('olga')
      await olga.getByLabel('Email').fill('olga@example.com')
      await olga.getByLabel('Password', { exact: true }).fill(PASSWORD)
      const used = olga.url()
      await press(olga, 'Create account')
      await olga.waitForURL('**/operator')
      await told(olga, 'You Are the Operator')
      await says(olga, 'ida@example.com')
      await ida.goto(used)
      await says(ida, 'This link no longer works.', /Run “wrk setup” on the server/)
      await isFineEverywhere(ida, 'over')
      await db.update(users).set({ operator: false })
      await ida.goto(await link())
      await says(ida, 'Become this server’s operator?', 'ida@example.com')
      await isFineEverywhere(ida, 'asked')
      await press(ida, 'Become the operator')
      await ida.waitForURL('**/operator')
      await db.update(users).set({ operator: false })
      await olga.context().clearCookies()
      await olga.goto(await link())
      await olga.getByRole('tab', { name: 'Log In' }).click()
      await logIn(olga, 'olga')
      await says(olga, 'Become this server’s operator?', 'olga@example.com')
    })
  },
  { HOST: '0.0.0.0', SIGNUP: 'closed' },
)

inChromium(
  'where nobody registers',
  ({ open }) => {
    test('the pages offer nothing that does not work, but for the first account', async () => {
      const { db } = await openQuick()
      await db.delete(firstAccount)
      const page = await open('olga')
      await page.goto('/')
      expect(await leads(page, 'Get Started')).toEqual(['/login?register'])
      await registerUnproven(page, 'olga')
      await page.context().clearCookies()
      await page.goto('/')
      expect(await page.getByRole('link', { name: 'Log in' }).count()).toBe(3)
      expect(await page.getByRole('link', { name: /Get Started|Start for free/ }).count()).toBe(0)
      await page.goto('/login?register')
      const note = page.locator('[role=status]:has(~ form)')
      await note.getByText('Sign-up is closed. Please ask this server’s operator for an account.').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await page.getByText('Sign-up is closed.').count()).toBe(1)
      await page.waitForURL((url) => url.pathname + url.search === '/login')
      await page.reload()
      await says(page, 'Sign-up is closed. Please ask this server’s operator for an account.')
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await page.getByRole('tab').count()).toBe(0)
      await findsNothing(page, 'closed')
      await page.setViewportSize({ width: 1440, height: 620 })
      await page.goto('/login?error=account_disabled')
      await says(page, 'This account is disabled. Please contact this server’s operator.')
    })
  },
  { SIGNUP: 'closed' },
)

inChromium(
  'where only the issuer signs people in, and of some domains',
  ({ open }) => {
    test('the login page has its button alone', async () => {
      const page = await open('olga')
      await page.goto('/login')
      expect(await leads(page, 'Continue with Guild')).toEqual(['/api/auth/oauth/oidc'])
      expect(await page.getByRole('textbox').count()).toBe(0)
      expect(await button(page, 'Email me a sign-in link').count()).toBe(0)
      await findsNothing(page, 'issuer')
      await page.goto('/login?register')
      await page.getByRole('status').getByText('You don’t need to register').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(new URL(page.url()).search).toBe('')
    })
  },
  { SIGN_IN: 'oidc', ...issuer.env },
)

inChromium(
  'where accounts are for some domains',
  ({ open }) => {
    test('whoever registers is asked to open the mailed link', async () => {
      const page = await open('fay')
      await page.goto('/login?register')
      await says(page, 'Must be at example.com')
      await page.getByLabel('Username').fill('fay')
      await page.getByLabel('Email').fill('fay@example.com')
      await page.getByLabel('Password', { exact: true }).fill('correct horse')
      await press(page, 'Create account')
      await says(page, 'Check Your Email', /Your account is ready/)
      await findsNothing(page, 'registered')
    })
  },
  { SIGNUP_DOMAINS: 'example.com' },
)

inChromium(
  'on a server without plans',
  ({ open }) => {
    test('an operator reads nothing of plans or subscriptions', async () => {
      const { db } = await openQuick()
      const olga = await open('olga')
      await signUp(olga, 'olga')
      await db.update(users).set({ operator: true }).where(eq(users.username, 'olga'))
      await createAccount(db, { username: 'gus', email: 'gus@example.com' })
      await olga.goto('/operator')
      await press(olga, 'Menu for gus')
      await olga.getByRole('menuitem', { name: 'Disable…' }).waitFor()
      expect(await olga.getByRole('menuitem', { name: /Pro/ }).count()).toBe(0)
      await olga.getByRole('menuitem', { name: 'Disable…' }).click()
      const asked = olga.getByRole('alertdialog')
      await asked.getByText('a running timer continues').waitFor()
      expect(await asked.textContent()).not.toMatch(/subscription|period/i)
    })
  },
  { PLANS: 'off' },
)

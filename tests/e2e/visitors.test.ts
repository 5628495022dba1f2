import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { drivenIn, leads, row, says, told } from '../support/rows'

/*
 * product.md, row by row, in the running page: what is seen signed out (section 2), and what it says when something goes
 * wrong there (section 8). What a signed-in user sees is in product.test.ts. Rows of payment are there, too.
 */

const at = (page: Page) => new URL(page.url()).pathname
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

/** What the sections of the legal pages are about, in their order. */
const SECTIONS = {
  '/terms': [/introduction/i, /service/i, /account/i, /fair play/i, /subscription and billing/i, /privacy/i].concat([
    /intellectual property/i,
    /termination/i,
    /liability/i,
    /changes/i,
    /contact/i,
  ]),
  '/privacy': Array.from({ length: 10 }, () => /./),
  '/refund': [/no-refund/i, /no partial refunds/i, /cancelling/i, /after/i, /./, /contact/i],
}
const LEGAL_TEXTS = {
  '/terms': ['Canadian dollars', 'billed in advance', 'renews by itself', 'we may suspend', 'at our discretion', 'not liable'],
  '/privacy': ['Canadian privacy law', 'PIPEDA', 'Contact:', 'Profile:', 'Content:', 'Preferences:', 'payment processor'].concat(
    'Logs:',
    'Device data:',
    'We do not sell',
    'children under 16',
    'to access your personal information, to have it updated or corrected, and to have it deleted',
  ),
  '/refund': [
    'strict no-refund policy',
    'no partial refunds',
    'reverts to the Free plan',
    'first board',
    'read-only until you upgrade',
  ],
}

inChromium('product.md, for visitors', (site) => {
  test('section 2: the landing page, the legal pages, and what is for users only', async () => {
    const page = await site.open('visitor')
    await page.goto('/')
    await row('Landing page: header with logo and a Log in button, headline, tagline', async () => {
      await page.getByRole('heading', { level: 1, name: 'wrk smart.' }).waitFor()
      await says(page, /Canadian collaboration platform/)
      expect(await leads(page, 'wrk, to the front page', 'Log in', 'Get Started', 'Start for free')).toEqual([
        '/',
        '/login',
        '/login',
        '/login',
      ])
    })
    await row('Landing page: three feature blocks', () =>
      Promise.all(
        ['Organize Tasks', 'Collaborate Seamlessly', 'Track Your Time'].map((name) =>
          page.getByRole('heading', { name }).waitFor(),
        ),
      ),
    )
    await row('Landing page: footer with contact, terms, privacy, refund and a 2025 copyright line', async () => {
      expect(await leads(page, 'Contact', 'Terms', 'Privacy', 'Refund')).toEqual([
        expect.stringMatching(/^mailto:.+@/),
        '/terms',
        '/privacy',
        '/refund',
      ])
      await says(page, /© 2025/)
    })
    await row('the public pages need no script but for the theme, which is remembered', async () => {
      await page.getByRole('radio', { name: 'Dark' }).check()
      await page.goto('/terms')
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
      expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
      await page.getByRole('radio', { name: 'As the system' }).check()
    })
    for (const path of ['/terms', '/privacy', '/refund'] as const)
      await row(`Legal pages: ${path}`, async () => {
        await page.goto(path)
        expect(await leads(page, 'wrk, to the front page', 'Log in', 'Return to Home')).toEqual(['/', '/login', '/'])
        await says(page, 'Last Updated: March 25, 2025', /© 2025/, ...LEGAL_TEXTS[path].map((text) => new RegExp(text, 'i')))
        const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
        expect(headings).toEqual(SECTIONS[path].map((about) => expect.stringMatching(about)))
      })
    for (const path of ['/board/1', '/someone', '/no/such/page'])
      await row(`any path except / : ${path} is a redirect to /login`, async () => {
        await page.goto(path)
        await page.waitForURL('**/login')
      })
  })

  test('sections 2, 5 and 8: the login screen', async () => {
    const page = await site.open('visitor')
    await row('While the authentication state is loading, a full-screen spinner shows', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      await page.route('**/trpc/auth.session*', (route) => promise.then(() => route.continue()), { times: 1 })
      await page.goto('/login')
      await page.getByRole('status', { name: 'Loading' }).waitFor()
      resolve()
      await tab(page, 'Log In').waitFor()
    })
    await row('Login: footer links, titles', async () => {
      expect(await leads(page, 'Terms', 'Privacy', 'Refund')).toEqual(['/terms', '/privacy', '/refund'])
      await page.locator('a[href^="mailto:"]').waitFor()
      await page.waitForFunction(() => document.title === 'Log in · wrk')
    })
    const password = page.getByLabel('Password', { exact: true })
    await row('Login: username at least 3 characters, password at least 6; a show/hide toggle', async () => {
      await page.getByLabel('Username or email').fill('ab')
      await password.fill('12345')
      await button(page, 'Log In').click()
      await says(page, 'Username must be at least 3 characters', 'Password must be at least 6 characters')
      await button(page, 'Show password').click()
      expect(await password.getAttribute('type')).toBe('text')
      await button(page, 'Hide password').click()
      expect(await password.getAttribute('type')).toBe('password')
    })
    await row('Login failure', async () => {
      await page.getByLabel('Username or email').fill('nobody')
      await password.fill('no password')
      await page.route('**/trpc/auth.login*', (route) => route.abort(), { times: 1 })
      await button(page, 'Log In').click()
      await told(page, 'Login Failed', 'Could not log in with those credentials. Please check and try again.')
    })
    await row('Dev login failure: the toast, then GET /api/auth/dev-login with a returnUrl', async () => {
      await page.route('**/trpc/auth.devLogin*', (route) => route.abort(), { times: 1 })
      await page.route(/dev-login/, (route) => route.fulfill({ status: 204 }), { times: 1 })
      const asked = page.waitForRequest((request) => request.url().includes('/api/auth/dev-login?returnUrl='))
      await button(page, 'Continue as developer').click()
      await told(page, 'Login Failed', 'Could not authenticate with dev login. Please try again.')
      await asked
    })
    await row('Register: the rules, and what is typed as a username', async () => {
      await tab(page, 'Register').click()
      await page.getByLabel('Username').fill('A b')
      expect(await page.getByLabel('Username').inputValue()).toBe('ab')
      await page.getByLabel('Email', { exact: true }).fill('no address')
      await password.fill('12345')
      await button(page, 'Create Account').click()
      await says(page, 'Username must be at least 3 characters', 'Please enter a valid email address')
      await says(page, 'Password must be at least 6 characters')
    })
    await row('Registration failure and success', async () => {
      await page.getByLabel('Username').fill('visitor')
      await page.getByLabel('Email', { exact: true }).fill('visitor@example.com')
      await password.fill('correct horse')
      await page.route('**/trpc/auth.register*', (route) => route.abort(), { times: 1 })
      await button(page, 'Create Account').click()
      await told(page, 'Registration Failed', 'Could not create your account. Please try again.')
      await button(page, 'Create Account').click()
      await told(page, 'Registration Successful', 'Your account has been created and you are now logged in.')
      await page.waitForURL((url) => url.pathname === '/')
      await says(page, 'Welcome, visitor')
    })
    await row('/login sends on whoever is signed in', async () => {
      await page.goto('/login')
      await says(page, 'Welcome, visitor')
      expect(at(page)).toBe('/')
    })
  })

  test('sections 2 and 8: the invitation page', async () => {
    const page = await site.open('visitor')
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/trpc/invitations.get*', (route) => promise.then(() => route.continue()), { times: 1 })
    await page.goto('/invite?token=none')
    await row('Invitation page: loading', () => page.getByRole('heading', { name: 'Processing Invitation' }).waitFor())
    resolve()
    await row('Invitation page: error, with Go to Home', async () => {
      await page.getByRole('heading', { name: 'Invitation Error' }).waitFor()
      await page.getByRole('link', { name: 'Go to Home' }).click()
      // The way out of the app is a load of its own.
      await page.getByRole('heading', { level: 1, name: 'wrk smart.' }).waitFor()
    })
  })

  drivenIn('signing-in.test.ts', {
    '/auth/verify, and its failure': [
      '/auth/verify',
      'without a token there is nothing to verify',
      'This sign-in link is invalid',
    ],
    'Check Your Email, Return to Login': ['Check Your Email', 'Return to Login'],
    'a stored invite redirect is cleared and followed': ['inviteRedirect', 'toBeNull()'],
    'the errors of the address': [
      'Authentication failed. Please try again with valid credentials.',
      'Your session has expired. Please log in again.',
      'An error occurred during login.',
    ],
    'Email Already Registered': [
      'Email Already Registered',
      'This email address is already registered',
      "'Log In', 'Reset Password'",
    ],
    'Reset: failure and success': [
      'Request Failed',
      'Could not process your request. Please try again later.',
      'Password Reset Email Sent',
      'If an account exists with that email, you will receive password reset instructions.',
    ],
    'Forgot password: email must be valid': ['Please enter a valid email address'],
  })
  drivenIn('invitations.test.ts', {
    'the states of an invitation': ["You've Been Invited", 'Sign in to accept', 'Join Board', 'Go to Home', 'You join as'],
    'its texts': [
      'Invalid invitation link. No invitation token found.',
      'This invitation is invalid or has expired.',
      'The board you were invited to does not exist or has been deleted.',
      'Failed to process your invitation. The board may not exist or has expired.',
      'Failed to join the board. Please try again later.',
      'You have successfully joined the board: Spring catalogue.',
    ],
  })
})

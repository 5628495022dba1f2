import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { ownAddress } from '../support/browser'
import { forget, inChromium, register, signUp } from '../support/chromium'
import { isNoConfirmation, mailbox } from '../support/mail'
import { button, logIn, toast } from '../support/page'
import { PASSWORD } from '../support/people'

const box = await mailbox()
afterAll(() => box.stop())

const linkTo = async (address: string) => (await box.next(address, isNoConfirmation)).link ?? ''
const email = (page: Page) => page.getByLabel('Email', { exact: true })

async function registerByHand(page: Page, username: string, address: string) {
  await page.goto('/login')
  await page.getByRole('tab', { name: 'Register' }).click()
  await page.getByLabel('Username').fill(username)
  await email(page).fill(address)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Create account').click()
}

inChromium(
  'signing in',
  (site) => {
    test('a forgotten password is replaced by way of the mail, and every other browser is signed out', async () => {
      const [home, phone] = await Promise.all([site.open('ada at home'), site.open('ada on her phone')])
      await signUp(home, 'ada')
      await home.getByText('Welcome, Ada').waitFor()

      await phone.goto('/login')
      await phone.getByLabel('Username or email').fill('ada@example.com')
      await button(phone, 'Forgot password?').click()
      expect(await email(phone).inputValue()).toBe('ada@example.com')
      await button(phone, 'Send reset link').click()
      await toast(
        phone,
        'Password Reset Email Sent',
        'If an account exists with that email, you will receive password reset instructions.',
      )
      await phone.getByRole('heading', { name: 'Check Your Email' }).waitFor()
      await phone.waitForFunction(() => document.querySelector(':focus')?.textContent === 'Check Your Email')
      await button(phone, 'Return to Login').click()
      await phone.getByLabel('Username or email').waitFor()
      await phone.waitForFunction(() => document.activeElement?.getAttribute('autocomplete') === 'current-password')

      await phone.goto(await linkTo('ada@example.com'))
      const dialog = phone.getByRole('dialog', { name: 'Choose a new password' })
      await dialog.getByLabel('New password').fill('short')
      await button(phone, 'Save password').click()
      await dialog.getByText('Password must be at least 6 characters').waitFor()
      await dialog.getByLabel('New password').fill('password')
      await button(phone, 'Save password').click()
      await dialog.getByRole('alert').filter({ hasText: 'This password is too common' }).waitFor()
      await dialog.getByLabel('New password').fill('a better one')
      await button(phone, 'Save password').click()
      await toast(phone, 'Password Changed')
      await dialog.waitFor({ state: 'hidden' })
      expect((await box.next('ada@example.com', isNoConfirmation)).subject).toBe('Your wrk password was changed')

      await home.waitForURL('**/login*')
      await toast(home, 'Login Failed', 'Your session has expired. Please log in again.')
      await logIn(home, 'ada')
      await toast(home, 'Login Failed', 'Invalid username or password')
      await logIn(home, 'ada', 'a better one')
      await home.getByText('Welcome, Ada').waitFor()
    })

    test('the dialog for a new password is shown once', async () => {
      const page = await site.account('ben')
      await forget(page)
      await page.request.post('/api/auth/forgot-password', { data: { email: 'ben@example.com' } })
      await page.goto(await linkTo('ben@example.com'))
      await page.getByRole('dialog', { name: 'Choose a new password' }).waitFor()
      await button(page, 'Not now').click()
      await page.reload()
      await page.getByText('Welcome, Ben').waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    })

    test('a sign-in link signs in, remembers, and leaves the address bar and the history at once', async () => {
      const page = await site.account('cleo')
      await forget(page)
      await page.goto('/login')
      await page.getByLabel('Username or email').fill('cleo@example.com')
      await button(page, 'Email me a sign-in link').click()
      await page.getByLabel('Keep me signed in').check()
      await button(page, 'Email me a link').click()
      await page.getByRole('heading', { name: 'Check Your Email' }).waitFor()
      const link = await linkTo('cleo@example.com')

      await page.goto(link)
      await page.getByText('Welcome, Cleo').waitFor()
      const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'session')
      expect(cookie?.expires).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400)
      await page.goBack()
      await page.waitForURL((address) => address.pathname === '/')
      await page.getByText('Welcome, Cleo').waitFor()
      expect(page.url()).not.toContain('token')

      await forget(page)
      await page.goto(link)
      await page.waitForURL('**/login')
      await toast(page, 'Login Failed', 'This sign-in link is invalid or has expired. Please request a new one.')
    })

    test('a program that merely fetches the link uses nothing up', async () => {
      const page = await site.account('dora')
      await forget(page)
      await page.request.post('/api/auth/magic-link', { data: { email: 'dora@example.com', remember: false } })
      const link = await linkTo('dora@example.com')
      for (let fetched = 0; fetched < 3; fetched++) expect((await page.request.get(link)).status()).toBe(200)
      expect((await page.request.head(link)).status()).toBe(200)
      await page.goto(link)
      await page.getByText('Welcome, Dora').waitFor()
    })

    test('a link outlives a lost connection', async () => {
      const page = await site.account('elsa')
      await forget(page)
      await page.request.post('/api/auth/magic-link', { data: { email: 'elsa@example.com', remember: false } })
      await page.route('**/trpc/auth.verify*', (route) => route.abort())
      await page.goto(await linkTo('elsa@example.com'))
      const again = page.getByRole('button', { name: 'Try again' })
      await again.waitFor()
      await page.unroute('**/trpc/auth.verify*')
      await again.click()
      await page.getByText('Welcome, Elsa').waitFor()
    })

    test('without a token there is nothing to verify', async () => {
      const page = await site.open('nobody')
      await page.goto('/auth/verify')
      await page.waitForURL('**/login')
    })

    for (const action of ['Log In', 'Reset Password'])
      test(`an email that has an account offers "${action}", filled in`, async () => {
        const page = await site.open('finn')
        const address = `finn-${action.slice(0, 3).toLowerCase()}@example.com`
        const data = { username: `finn-${action.slice(0, 3).toLowerCase()}`, email: address, password: PASSWORD }
        await page.request.post('/api/auth/register', { data })
        await forget(page)
        await registerByHand(page, `${data.username}2`, address)
        await toast(page, 'Email Already Registered', 'This email address is already registered')
        await button(page.getByRole('listitem').page(), action).last().click()
        const filled = action === 'Log In' ? page.getByLabel('Username or email') : email(page)
        expect(await filled.inputValue()).toBe(address)
      })

    const errors = {
      auth_failed: 'Authentication failed. Please try again with valid credentials.',
      session_expired: 'Your session has expired. Please log in again.',
      anything: 'An error occurred during login.',
      ['__proto__']: 'An error occurred during login.',
    }
    for (const [error, text] of Object.entries(errors))
      test(`the address's error ${error} is told, and taken out of it`, async () => {
        const page = await site.open('nobody')
        await page.goto(`/login?error=${error}`)
        await toast(page, 'Login Failed', text)
        await page.getByRole('alert').getByText(text).waitFor()
        expect(new URL(page.url()).search).toBe('')
      })

    test('whoever was invited goes on there after signing in by a link, and nowhere else but on this site', async () => {
      const page = await site.account('gus')
      for (const [stored, path] of [
        ['/gus', '/gus'],
        ['https://evil.example/', '/'],
        ['//evil.example', '/'],
        ['javascript:alert(1)', '/'],
      ] as const) {
        await forget(page)
        await page.goto('/login')
        await page.evaluate((value) => {
          localStorage.setItem('inviteRedirect', value)
          localStorage.setItem('inviteRedirectLimits', JSON.stringify({ until: Date.now() + 60_000 }))
        }, stored)
        const data = { email: 'gus@example.com', remember: false }
        await page.request.post('/api/auth/magic-link', { data, headers: { 'x-forwarded-for': ownAddress() } })
        await page.goto(await linkTo('gus@example.com'))
        await page.waitForURL((url) => url.pathname === path)
        await (path === '/' ? page.getByText('Welcome, Gus') : page.getByRole('tab', { name: 'Profile' })).waitFor()
        await page.waitForFunction(() => localStorage.getItem('inviteRedirect') === null)
      }
    })

    test('leads back to where one had to sign in: by a password, a new account, or a mailed link in another tab', async () => {
      const page = await site.dashboard('hal')
      const board = await (await page.request.post('/api/boards', { data: { name: 'Of Hal' } })).json()
      const task = await (await page.request.post(`/api/boards/${board.id}/tasks`, { data: { title: 'Dig' } })).json()
      // As a mail has it.
      const path = `/board/${board.id}?task=${task.id}&openTaskDetail=true`
      const isOpen = (there: Page) => there.getByRole('dialog', { name: 'Dig' }).waitFor()
      const cameTo = async () => {
        await forget(page)
        await page.goto(path)
        await page.waitForURL('**/login')
      }
      await cameTo()
      await logIn(page, 'hal')
      await isOpen(page)

      await cameTo()
      await page.request.post('/api/auth/magic-link', { data: { email: 'hal@example.com', remember: false } })
      const tab = await page.context().newPage()
      await tab.goto(await linkTo('hal@example.com'))
      await isOpen(tab)
      await tab.close()

      // A new password is asked for on the way.
      await cameTo()
      await page.request.post('/api/auth/forgot-password', { data: { email: 'hal@example.com' } })
      const another = await page.context().newPage()
      await another.goto(await linkTo('hal@example.com'))
      await another.getByRole('dialog', { name: 'Choose a new password' }).waitFor()
      await button(another, 'Not now').click()
      await isOpen(another)
      await another.close()

      // Once there, the way back is used up.
      await page.goto('/')
      await isOpen(page)
      await page.goto('/')
      await page.getByText('Welcome, Hal').waitFor()

      await cameTo()
      await page.getByRole('tab', { name: 'Register' }).click()
      await page.getByLabel('Username').fill('halina')
      await email(page).fill('halina@example.com')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await button(page, 'Create account').click()
      await page.getByRole('heading', { name: 'Board Not Found' }).waitFor()
    })

    test('after the session has ended leads back whoever it was of, and nobody else', async () => {
      const page = await site.open('jo')
      for (const name of ['jon', 'joe']) await register(page, name)
      const board = await (await page.request.post('/api/boards', { data: { name: 'Of Joe' } })).json()
      const endSession = async () => {
        await page.goto(`/board/${board.id}`)
        await page.getByRole('heading', { name: 'Of Joe' }).waitFor()
        await page.request.post('/api/auth/logout')
        await toast(page, 'Login Failed', 'Your session has expired. Please log in again.')
      }
      await endSession()
      await logIn(page, 'joe')
      await page.getByRole('heading', { name: 'Of Joe' }).waitFor()
      await endSession()
      await logIn(page, 'jon')
      await page.getByText('Welcome, Jon').waitFor()
      expect(new URL(page.url()).pathname).toBe('/')

      await page.request.post('/api/auth/logout')
      await toast(page, 'Login Failed', 'Your session has expired. Please log in again.')
      await page.request.post('/api/auth/magic-link', { data: { email: 'jon@example.com', remember: false } })
      await page.goto(await linkTo('jon@example.com'))
      await button(page, 'New Board').first().waitFor()
    })

    test('with text of twice the size fits a phone', async () => {
      const page = await site.open('opa', { viewport: { width: 390, height: 844 } })
      await page.goto('/login')
      const wide = () =>
        page.evaluate(() => {
          document.documentElement.style.fontSize = '200%'
          return document.documentElement.scrollWidth
        })
      expect(await wide()).toBe(390)
      await page.getByRole('tab', { name: 'Register' }).click()
      await page.getByLabel('Username').waitFor()
      expect(await wide()).toBe(390)
    })

    test('after signing out in another tab says so, and leads nowhere that one was', async () => {
      const page = await site.account('una')
      await page.goto('/una')
      const other = await page.context().newPage()
      await other.goto('/')
      await button(other, 'Log out').click()
      await toast(page, 'Logged Out', 'You logged out in another tab.')
      expect(await page.getByText('Login Failed').count()).toBe(0)
      await logIn(page, 'una')
      await page.waitForURL((url) => url.pathname === '/')
      await button(page, 'New Board').first().waitFor()
      await page.request.post('/api/auth/logout')
      await toast(page, 'Login Failed', 'Your session has expired. Please log in again.')
    })

    test('whoever signs in as somebody else in one tab is so in the others, with nothing of whoever was there', async () => {
      const [page, elsewhere] = [await site.account('bea'), await site.account('ivo')]
      await page.request.post('/api/boards', { data: { name: 'Of Bea' } })
      await page.goto('/')
      await page.getByText('Of Bea').first().waitFor()
      const tab = await page.context().newPage()
      await elsewhere.request.post('/api/auth/magic-link', { data: { email: 'ivo@example.com', remember: false } })
      await tab.goto(await linkTo('ivo@example.com'))
      await button(tab, 'Sign in').click()
      await tab.getByText('Welcome, Ivo').waitFor()
      await page.getByText('Welcome, Ivo').waitFor()
      await page.getByText('Of Bea').first().waitFor({ state: 'detached' })
    })

    test('whoever signs in as somebody else before a tab is live is so in it, too', async () => {
      const [page, elsewhere] = [await site.account('wyn'), await site.account('yves')]
      const signedIn = Promise.withResolvers<void>()
      await page.routeWebSocket('**/ws', async (socket) => {
        await signedIn.promise
        socket.connectToServer()
      })
      await page.goto('/')
      await page.getByText('Welcome, Wyn').waitFor()
      await page.context().clearCookies()
      await page.context().addCookies(await elsewhere.context().cookies())
      signedIn.resolve()
      await page.getByText('Welcome, Yves').waitFor()
    })

    test('what somebody changes in a tab that does not know yet who is signed in is not changed for that one', async () => {
      const [page, elsewhere] = [await site.account('wes'), await site.account('yann')]
      await page.routeWebSocket('**/ws', () => {})
      // What the page reads as it opens would tell it.
      await page.goto('/wes?tab=notifications', { waitUntil: 'networkidle' })
      const comments = page.getByRole('switch', { name: 'New Comments' })
      await comments.waitFor()
      await page.context().addCookies(await elsewhere.context().cookies())
      await comments.click()
      await page.getByRole('link', { name: 'Yann', exact: true }).waitFor()
      expect(await (await elsewhere.request.get('/api/auth/me')).json()).toMatchObject({ notifyTaskCommented: true })
    })

    test('a server that cannot answer leaves the link as it was', async () => {
      const page = await site.account('uma')
      await forget(page)
      await page.request.post('/api/auth/magic-link', { data: { email: 'uma@example.com', remember: false } })
      await page.route('**/trpc/auth.verify*', (route) => route.fulfill({ status: 500, body: '{}' }), { times: 1 })
      await page.goto(await linkTo('uma@example.com'))
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('Welcome, Uma').waitFor()
    })

    test('a request that fails keeps what was typed and says so', async () => {
      const page = await site.open('nobody')
      await page.goto('/login')
      await button(page, 'Forgot password?').click()
      await email(page).fill('not an address')
      await button(page, 'Send reset link').click()
      await page.getByText('Please enter a valid email address').waitFor()
      await email(page).fill('hal@example.com')
      await page.route('**/trpc/auth.forgotPassword*', (route) => route.abort())
      await button(page, 'Send reset link').click()
      await toast(page, 'Request Failed', 'Could not process your request. Please try again later.')
      await page.getByRole('alert').getByText('Could not process your request. Please try again later.').waitFor()
      expect(await email(page).inputValue()).toBe('hal@example.com')
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>' },
)

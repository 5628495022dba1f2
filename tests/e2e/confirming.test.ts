import { afterAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { inChromium, register, registerUnproven } from '../support/chromium'
import { mailbox } from '../support/mail'
import { button, leave, press, toast } from '../support/page'
import { PASSWORD } from '../support/people'

const box = await mailbox()
afterAll(() => box.stop())

const linkTo = async (address: string) => (await box.next(address)).link ?? ''
const line = (page: Page) => page.getByRole('region', { name: 'Your email is not confirmed' })
// Both in one look: the page puts its own elements in the place of those of the HTML.
const edges = (page: Page, above: string, below: string) =>
  page.evaluate(
    ([above, below]) => {
      const [{ bottom }, { top }] = [above, below].map((selector) => {
        const element = document.querySelector(selector)
        if (!element) throw new Error(`${selector} is not there`)
        return element.getBoundingClientRect()
      }) as [DOMRect, DOMRect]
      return { bottom, top, areApart: bottom > 0 && bottom <= top }
    },
    [above, below] as const,
  )
const question = (page: Page, username: string) => page.getByRole('heading', { name: `Sign in as ${username}?` })

inChromium(
  'confirming an address',
  (site) => {
    test('the page says what an account cannot do until then, sends another link, and is quiet once it is done', async () => {
      const page = await site.open('ada')
      await registerUnproven(page, 'conny')
      await page.goto('/')
      await line(page).getByText('conny@example.com').waitFor()
      await findsNothing(page, 'the dashboard of an account that is not confirmed')
      await linkTo('conny@example.com')
      await press(page, 'Send it again')
      await toast(page, 'Confirmation Sent')
      expect(await button(page, 'Sent').isDisabled()).toBe(true)
      expect(await page.evaluate(() => document.querySelector(':focus')?.textContent)).toBe('Sent')

      const tab = await page.context().newPage()
      await tab.goto(await linkTo('conny@example.com'))
      await toast(tab, 'Email Confirmed')
      await tab.getByText('Welcome, Conny').waitFor()
      expect(await line(tab).count()).toBe(0)
      await line(page).waitFor({ state: 'detached' })
      await tab.reload()
      await tab.getByText('Welcome, Conny').waitFor()
      expect(await tab.getByText('Email Confirmed').count()).toBe(0)
    })

    for (const width of [390, 820, 1440])
      test(`the line covers nothing at ${width} px`, async () => {
        const page = await site.open('ada', { viewport: { width, height: 844 } })
        await registerUnproven(page, `wide${width}`)
        const board = await (await page.request.post('/api/boards', { data: { name: 'Spring catalogue' } })).json()
        await page.goto(`/board/${board.id}`)
        await page.getByRole('heading', { name: 'Spring catalogue' }).waitFor()
        await line(page).waitFor()
        expect(await edges(page, '[aria-label="Your email is not confirmed"]', 'h1')).toMatchObject({ areApart: true })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
        await page.getByRole('button', { name: 'Add Task' }).first().click({ trial: true })
        await page.evaluate(() => window.dispatchEvent(new Event('open-time-logs')))
        await page.getByRole('dialog', { name: 'Time Logs' }).waitFor()
        await leave(page.getByRole('dialog', { name: 'Time Logs' }))
        await toast(page, 'Time Logs Opened')
        const places = ['[aria-label="Your email is not confirmed"]', '[data-toast]'] as [string, string]
        expect(await edges(page, ...(width < 640 ? (places.toReversed() as typeof places) : places))).toMatchObject({
          areApart: true,
        })
      })

    test('an old link says that the address is not confirmed yet', async () => {
      const [ada, page] = [await site.open('ada'), await site.open('old')]
      await Promise.all([register(ada, 'orla'), registerUnproven(page, 'otto')])
      const board = await (await ada.request.post('/api/boards', { data: { name: 'Spring catalogue' } })).json()
      await ada.request.post(`/api/boards/${board.id}/members`, { data: { email: 'otto@example.com' } })
      await page.goto(`/invite?board=${board.id}`)
      await press(page, 'Join Board')
      await page.getByText('Your email, otto@example.com, is not confirmed yet.').waitFor()
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>' },
)

inChromium(
  'a link that asks first',
  (site) => {
    test('says who is signed in and who would be; cancelling changes nothing, agreeing signs in', async () => {
      const [page, other] = [await site.account('mia'), await site.account('noah')]
      await other.request.post('/api/auth/magic-link', { data: { email: 'noah@example.com' } })
      const link = await linkTo('noah@example.com')
      await page.goto(link)
      await question(page, 'noah').waitFor()
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
      for (const text of ['Mia', 'mia@example.com']) await page.getByText(text, { exact: true }).waitFor()
      expect(await page.getByText('Keep this account’s password?').count()).toBe(0)
      await findsNothing(page, 'the question before a sign-in')
      await press(page, 'Cancel')
      await page.getByText('Welcome, Mia').waitFor()

      await page.goto(link)
      await press(page, 'Sign in')
      await page.getByText('Welcome, Noah').waitFor()
      await page.goto(link)
      await toast(page, 'Link No Longer Valid')
      await page.getByText('Welcome, Noah').waitFor()
    })

    test('in a browser where nobody is signed in leads to the front page when it is cancelled', async () => {
      const [page, other] = [await site.open('nobody'), await site.account('pamela')]
      await other.request.post('/api/auth/magic-link', { data: { email: 'pamela@example.com' } })
      await page.goto(await linkTo('pamela@example.com'))
      await question(page, 'pamela').waitFor()
      await press(page, 'Cancel')
      await page.getByRole('link', { name: 'Log in' }).first().waitFor()
      expect(await page.context().cookies()).toEqual([])
    })

    for (const [choice, told, status] of [
      ['Remove it', 'Password Removed', 401],
      ['Keep it', 'Email Confirmed', 200],
    ] as const)
      test(`asks about a password that somebody else may have set: "${choice}"`, async () => {
        const [owner, squatter] = [await site.open('the owner'), await site.open('a squatter')]
        const username = `squat${status}`
        await registerUnproven(squatter, username)
        await squatter.goto('/')
        await owner.goto(await linkTo(`${username}@example.com`))
        await question(owner, username).waitFor()
        await owner.getByText('someone else may have set the password').waitFor()
        await findsNothing(owner, 'the question about a password')
        // Nothing is chosen beforehand, so nothing happens yet.
        await press(owner, 'Sign in')
        await question(owner, username).waitFor()
        await owner.getByRole('radio', { name: choice }).check()
        await press(owner, 'Sign in')
        await toast(owner, told)
        if (status === 401) await squatter.waitForURL('**/login*')
        const data = { username, password: PASSWORD }
        expect((await (await site.open('later')).request.post('/api/auth/login', { data })).status()).toBe(status)
      })

    test('goes on after a lost connection', async () => {
      const [page, other] = [await site.open('rob'), await site.account('robert')]
      await other.request.post('/api/auth/magic-link', { data: { email: 'robert@example.com' } })
      await page.goto(await linkTo('robert@example.com'))
      await question(page, 'robert').waitFor()
      await page.route('**/trpc/auth.verify*', (route) => route.abort(), { times: 1 })
      await press(page, 'Sign in')
      await press(page, 'Try again')
      await page.getByText('Welcome, Robert').waitFor()
    })
  },
  { SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>' },
)

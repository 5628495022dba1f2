import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { BrowserContext, Page } from 'playwright-core'
import { sessions, users } from '../../src/db/tables'
import { inChromium, register, signUp } from '../support/chromium'
import { openQuick } from '../support/databases'
import { lineTo } from '../support/line'
import { isNoConfirmation, mailbox } from '../support/mail'
import { addTask, card, column, logIn, press, says } from '../support/page'
import { PASSWORD } from '../support/people'
import { until } from '../support/until'
import { everything, hide } from './storages'

const [line, box] = await Promise.all([lineTo('http://127.0.0.1'), mailbox()])
const origin = new URL(line.url).origin
afterAll(() => Promise.all([line.close(), box.stop()]))

/** Of the person, whatever is kept of them. */
const OWN = /Orchard|Prune|Graft|board\/\d/

inChromium(
  'the next person at the computer',
  (site) => {
    function open(name: string) {
      line.mend()
      line.lead(`http://127.0.0.1:${site.port}`)
      return site.open(name, { baseURL: origin, serviceWorkers: 'allow' })
    }
    const comeBack = async (context: BrowserContext, path: string) => {
      const page = await context.newPage()
      await page.goto(path)
      return page
    }

    async function logInByHand(page: Page, username: string, remember: boolean) {
      await page.goto('/login')
      expect(await page.getByLabel('Keep me signed in').isChecked()).toBe(false)
      if (remember) await page.getByLabel('Keep me signed in').check()
      await logIn(page, username)
      await page.waitForURL(`${origin}/`)
      await page.getByRole('button', { name: 'Log out' }).waitFor()
    }

    /** Signed in by hand, with a board open, a task of it just closed, and all of it kept that is kept. */
    async function atWork(name: string, remember: boolean) {
      const page = await open(name)
      await register(page, name)
      const board = await (await page.request.post('/api/boards', { data: { name: 'Orchard' } })).json()
      await page.request.post(`/api/boards/${board.id}/tasks`, { data: { title: 'Prune' } })
      await page.context().clearCookies()
      await logInByHand(page, name, remember)
      await workerIsThere(page)
      await page.goto(`/board/${board.id}`)
      await card(page, 'Prune').click()
      await page.getByRole('textbox', { name: 'New comment' }).waitFor()
      await page.goto(`/board/${board.id}`)
      await card(page, 'Prune').waitFor()
      await page.evaluate(hide)
      if (remember) await until('the board is kept', async () => (await kept(page)).includes(`["live",${board.id},"board"]`))
      return { page, boardId: board.id as number, address: `/board/${board.id}` }
    }
    const isUnknown = async (page: Page) => {
      await page.locator('#root button').waitFor()
      expect(await page.locator('body').textContent()).not.toMatch(OWN)
    }
    const sessionsOf = async (username: string) => {
      const { db } = await openQuick()
      const [user] = await db.select().from(users).where(eq(users.username, username))
      return { db, ofThem: eq(sessions.userId, user?.id ?? 0) }
    }
    const endElsewhere = async (page: Page, username: string) => {
      const elsewhere = await site.open(`${username} elsewhere`)
      await elsewhere.request.post('/api/auth/login', { data: { username, password: PASSWORD } })
      expect((await elsewhere.request.delete('/api/auth/sessions')).status()).toBe(200)
      await page.waitForURL('**/login*')
      await page.getByLabel('Username or email').waitFor()
    }

    test('sees a board without a connection only while the session is remembered, and for seven days', async () => {
      const { page, address } = await atWork('olga', true)
      line.fail('cut')
      await page.reload()
      await card(page, 'Prune').waitFor()
      await page.clock.install({ time: Date.now() + 7 * 86_400_000 })
      await page.goto(address)
      await isUnknown(page)
      expect(await kept(page)).not.toMatch(OWN)
    })

    test('sees nothing where a page was left open without a connection for longer', async () => {
      const { page } = await atWork('orla', true)
      line.fail('cut')
      await page.clock.install()
      await page.reload()
      await card(page, 'Prune').waitFor()
      await page.clock.fastForward(169 * 3_600_000)
      await page.waitForURL('**/login*')
      await isUnknown(page)
      // Its owner's way back is kept for an hour.
      expect(await kept(page)).not.toMatch(/Orchard|Prune/)
    })

    test('finds nothing of a session that is not remembered, not even while it lasts', async () => {
      const { page, address } = await atWork('otto', false)
      await page.evaluate(hide)
      expect(await kept(page)).not.toMatch(OWN)
      line.fail('cut')
      await page.reload()
      await isUnknown(page)
      const next = await comeBack(page.context(), address)
      await isUnknown(next)
      expect(await everything(next)).not.toMatch(OWN)
    })

    test('finds nothing once the session was ended from elsewhere, in any tab', async () => {
      const { page, address } = await atWork('oona', true)
      const other = await comeBack(page.context(), address)
      await card(other, 'Prune').waitFor()
      await endElsewhere(page, 'oona')
      await other.waitForURL('**/login*')
      for (const tab of [page, other]) expect(await kept(tab)).not.toMatch(/Orchard|Prune/)
      line.fail('cut')
      await page.goto(address)
      await isUnknown(page)
    })

    test('finds nothing of a session that ended while no page was open, whichever page they begin with', async () => {
      for (const [name, path] of [
        ['orin', '/login'],
        ['oren', '/'],
        ['oryx', '/invite?token=none'],
      ] as const) {
        const { page } = await atWork(name, true)
        const context = page.context()
        await page.goto('about:blank')
        const { db, ofThem } = await sessionsOf(name)
        await db
          .update(sessions)
          .set({ expiresAt: new Date(Date.now() - 1000) })
          .where(ofThem)
        const next = await comeBack(context, path)
        await until(`nothing is kept at ${path}`, async () => !OWN.test(await everything(next)))
        await context.close()
      }
    })

    test('finds nothing after a sign-out: not in a storage, not in a cache, not in another tab', async () => {
      const { page, address } = await atWork('ossi', true)
      const other = await comeBack(page.context(), address)
      await column(other, 'To Do').getByRole('button', { name: 'Add Task' }).click()
      await other.getByLabel('Task Title').fill('Graft')
      await page.goto('/')
      await press(page, 'Log out')
      await page.waitForURL('**/login')
      await other.waitForURL('**/login')
      await says(other, 'You logged out in another tab.')
      for (const tab of [page, other]) {
        const { local, session, stores } = JSON.parse(await everything(tab))
        expect([local, session, stores]).toEqual([{}, {}, []])
      }
      await workerIsThere(page)
      expect(await everything(page)).not.toMatch(OWN)
      line.fail('cut')
      await page.goto(address)
      await isUnknown(page)
    })

    test('finds nothing that was not sent, and its owner all of it in the tab: after a reload, and after signing in again', async () => {
      const { page, boardId } = await atWork('oleg', false)
      await page.route(/\/trpc\/tasks\.create/, (route) => route.abort())
      await addTask(page, 'To Do', 'Graft')
      await card(page, 'Graft').waitFor()
      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await card(page, 'Graft').waitFor()
      expect(await kept(page)).not.toMatch(OWN)
      // Another tab asks for it before it signs both out.
      const other = await comeBack(page.context(), '/')
      await press(other, 'Log out')
      await other.getByRole('alertdialog').getByText('One change is not saved yet').waitFor()
      await press(other, 'Stay')
      await other.close()
      await endElsewhere(page, 'oleg')
      expect(await kept(page)).not.toMatch(/Orchard|Prune|Graft/)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await logIn(page, 'oleg')
      await card(page, 'Graft').waitFor()
      await until('it is sent', async () => {
        const tasks = await (await page.request.get(`/api/boards/${boardId}/tasks`)).json()
        return tasks.some(({ title }: { title: string }) => title === 'Graft')
      })
    })

    test('sends and finds nothing of what somebody else left in the tab', async () => {
      const { page, boardId } = await atWork('omri', true)
      await page.route(/\/trpc\/tasks\.create/, (route) => route.abort())
      await addTask(page, 'To Do', 'Graft')
      await card(page, 'Graft').waitFor()
      await endElsewhere(page, 'omri')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await signUp(page, 'osip')
      await page.getByText('Welcome, Osip').waitFor()
      await until('nothing is left', async () => !/Graft|Prune|Orchard/.test(await everything(page)))
      const { db, ofThem } = await sessionsOf('omri')
      await db.delete(sessions).where(ofThem)
      const omri = await site.open('omri elsewhere')
      await omri.request.post('/api/auth/login', { data: { username: 'omri', password: PASSWORD } })
      const tasks = await (await omri.request.get(`/api/boards/${boardId}/tasks`)).json()
      expect(tasks.map(({ title }: { title: string }) => title)).toEqual(['Prune'])
    })

    test('is not led into an invitation that somebody else has left', async () => {
      const { page: host, boardId } = await atWork('odin', true)
      await host.request.post(`/api/boards/${boardId}/members`, { data: { email: 'guest@example.org' } })
      const link = (await box.next('guest@example.org', isNoConfirmation)).link ?? ''
      const guest = await open('a guest')
      await register(guest, 'opal')
      await guest.context().clearCookies()
      const invited = async () => {
        const page = await comeBack(guest.context(), new URL(link).pathname + new URL(link).search)
        await page.getByRole('link', { name: 'Sign in to accept' }).click()
        await page.getByRole('heading', { name: 'to join Orchard' }).waitFor()
        return page
      }
      const token = (page: Page) => page.evaluate(() => localStorage.getItem('inviteRedirect'))

      const abandoned = await invited()
      await abandoned.close()
      await guest.goto('/login')
      expect(await token(guest)).toBe(`${origin}${new URL(link).pathname}${new URL(link).search}`)
      await guest.getByRole('heading', { name: 'Pick up where you left off.' }).waitFor()
      await logInByHand(guest, 'opal', false)
      await guest.getByText('Welcome, Opal').waitFor()
      expect(await token(guest)).toBeNull()
      await press(guest, 'Log out')
      await guest.waitForURL('**/login')

      const left = await invited()
      await left.goto('/')
      await until('it is forgotten at the landing page', async () => (await token(left)) === null)
      await left.close()

      const late = await invited()
      await late.close()
      await guest.clock.install({ time: Date.now() + 61 * 60_000 })
      await guest.goto('/login')
      await until('it is forgotten after an hour', async () => (await token(guest)) === null)
    })
  },
  { PUBLIC_URL: origin, SMTP_URL: box.url, MAIL_FROM: 'wrk <wrk@example.com>' },
)

/** It has the pages that are opened from then on. The one that is open may have begun too early to be claimed. */
const workerIsThere = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready))

/** The same without what ends with the tab. */
async function kept(page: Page) {
  const { session: _, ...others } = JSON.parse(await everything(page))
  return JSON.stringify(others).replaceAll('\\', '')
}

import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createChangeLink } from '../../src/auth/server/store'
import { entriesOf } from '../archive/forged'
import { findsNothing } from '../support/axe'
import { inChromium, register } from '../support/chromium'
import { openQuick } from '../support/databases'
import { button, hasFocus, press, toast } from '../support/page'
import { PASSWORD } from '../support/people'
import { until } from '../support/until'

async function security(page: Page, username: string) {
  await page.goto(`/${username}`)
  await page.getByRole('tab', { name: 'Sign-in & security' }).click()
  await page.getByText('This browser').waitFor()
}

inChromium("one's account", (site) => {
  test('shows where one is signed in, and signs one of them out at once', async () => {
    const [home, phone] = await Promise.all([
      site.open('ida at home'),
      site.open('ida on her phone', {
        userAgent:
          'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
      }),
    ])
    await register(home, 'ida')
    await phone.request.post('/api/auth/login', { data: { username: 'ida', password: PASSWORD } })
    await phone.goto('/')
    await phone.getByText('Welcome, Ida').waitFor()

    await security(home, 'ida')
    await home.getByText('Safari on iOS').waitFor()
    await button(home, 'Log out Safari on iOS').press('Enter')
    await toast(home, 'Logged Out')
    await phone.waitForURL('**/login*')
    await toast(phone, 'Login Failed', 'Your session has expired. Please log in again.')
    await home.getByText('Safari on iOS').waitFor({ state: 'hidden' })
    // The button is gone, not one's place on the page.
    await hasFocus(home.getByRole('list').filter({ hasText: 'This browser' }))
  })

  test('changes the password, with the old one', async () => {
    const page = await site.account('joanna')
    await security(page, 'joanna')
    await page.getByLabel('Current password').fill('not this one')
    await page.getByLabel('New password').fill('a better one')
    await button(page, 'Change password').click()
    await page.getByRole('alert').getByText('The current password is incorrect.').waitFor()
    expect(await page.getByLabel('New password').inputValue()).toBe('a better one')
    await page.getByLabel('Current password').fill(PASSWORD)
    await button(page, 'Change password').click()
    await toast(page, 'Password Changed')
    await page.getByLabel('New password').and(page.locator('[value=""]')).waitFor()
    const logIn = (password: string) => page.request.post('/api/auth/login', { data: { username: 'joanna', password } })
    expect((await logIn(PASSWORD)).status()).toBe(401)
    expect((await logIn('a better one')).status()).toBe(200)
  })

  test('can be taken along as a file', async () => {
    const page = await site.account('kim')
    await security(page, 'kim')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download your data' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('wrk-kim.zip')
    const user = (await entriesOf(await file.path())).get('tables/user.ndjson')
    expect(JSON.parse(String(user))).toMatchObject({ username: 'kim', email: 'kim@example.com' })
  })

  test('is deleted after saying what goes with it; who had its board open is told', async () => {
    const { ada, bob } = await site.sharedBoard(['lea', 'max'], ['One'])
    await security(ada, 'lea')
    await button(ada, 'Delete account…').click()
    const dialog = ada.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByText('1 other person, no time logged').waitFor()
    await ada.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === 'Delete account…')

    await button(ada, 'Delete account…').click()
    await dialog.getByLabel('Your password').fill('not this one')
    await button(ada, 'Delete account').click()
    await dialog.getByText('Choose what happens to this board.').waitFor()
    await findsNothing(ada, 'the choice for a shared board')
    await dialog.getByLabel('Spring catalogue').selectOption('Delete it for everyone')
    await button(ada, 'Delete account').click()
    await toast(ada, 'Account Not Deleted', 'The current password is incorrect.')
    expect(await dialog.getByLabel('Your password').inputValue()).toBe('not this one')
    expect(await dialog.getByLabel('Spring catalogue').inputValue()).toBe('delete')
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await button(ada, 'Delete account').click()
    await ada.getByRole('link', { name: 'Get Started' }).waitFor()
    await bob.waitForURL((url) => url.pathname === '/')
    await bob.getByText('No boards yet').first().waitFor()
    expect((await ada.request.post('/api/auth/login', { data: { username: 'lea', password: PASSWORD } })).status()).toBe(401)
  })

  test('is deleted in a dialog that keeps its distance below what it ends with, however low the window', async () => {
    const { ada } = await site.ownBoard(['nia', 'ned'], ['One'])
    await security(ada, 'nia')
    await button(ada, 'Delete account…').click()
    const dialog = ada.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByLabel('Your password').waitFor()
    for (const [width, height, below] of [
      [1366, 650, 24],
      [1366, 400, 24],
      [390, 844, 20],
      [390, 500, 20],
    ] as const) {
      await ada.setViewportSize({ width, height })
      await button(ada, 'Delete account').scrollIntoViewIfNeeded()
      const [end, edge] = await dialog.evaluate((panel) => {
        const all = [...panel.querySelectorAll('div')].find((part) => getComputedStyle(part).overflowY === 'auto')
        all?.scrollTo(0, all.scrollHeight)
        return [panel.querySelector('[type=submit]'), panel].map((part) => part?.getBoundingClientRect().bottom ?? 0)
      })
      expect([height, Math.round((edge ?? 0) - (end ?? 0)), (edge ?? 0) <= height]).toEqual([height, below, true])
    }
  })

  test('gets another email once the link that was mailed there is opened', async () => {
    const ada = await site.account('leto')
    await security(ada, 'leto')
    await ada.getByLabel('New email').fill('leto@example.org')
    await ada.getByRole('region', { name: 'Email' }).getByLabel('Your password', { exact: true }).fill('wrong password')
    await button(ada, 'Change email').click()
    await ada.getByText('The current password is incorrect.').first().waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await ada.emulateMedia({ colorScheme })
      await findsNothing(ada, `changing an email (${colorScheme})`)
    }
    await ada.getByRole('region', { name: 'Email' }).getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await button(ada, 'Change email').click()
    await toast(ada, 'Link Sent', 'Open the link we emailed to your new address, in a browser where you are signed in.')
    const { id } = await (await ada.request.get('/api/auth/me')).json()
    const token = await createChangeLink((await openQuick()).db, id, 'leto@example.org')
    const stranger = await site.open('a stranger')
    await stranger.goto(`/auth/verify?token=${token}`)
    await toast(stranger, 'Link Not Accepted', 'Please log in to the account this link belongs to')
    await ada.goto(`/auth/verify?token=${token}`)
    await toast(ada, 'Email Changed')
    expect(await (await ada.request.get('/api/auth/me')).json()).toMatchObject({ email: 'leto@example.org', emailVerified: true })
  })

  test('is deleted after its shared board is handed over: whoever gets it has it at once, as its creator', async () => {
    const { ada, bob, taskId } = await site.sharedBoard(['lena', 'mark'], ['One'])
    await ada.request.post('/api/time-entries', { data: { taskId, duration: 95 } })
    await press(bob, 'Time Logs')
    await bob.getByRole('table', { name: 'Time entries' }).getByText('Lena').waitFor()
    await security(ada, 'lena')
    await button(ada, 'Delete account…').click()
    const dialog = ada.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByText('your tasks, time entries and activity stay under “Former member”').waitFor()
    await dialog.getByLabel('Spring catalogue').selectOption('Hand over to Mark')
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await button(ada, 'Delete account').click()
    await ada.getByRole('link', { name: 'Get Started' }).waitFor()
    // Open pages show at once whose it is now, and whose the hours are.
    await bob.getByRole('table', { name: 'Time entries' }).getByText('Former member').waitFor()
    await until('Lena is named nowhere', async () => (await bob.getByText('Lena').count()) === 0)
    await bob.keyboard.press('Escape')
    await press(bob, 'Delete Board')
    await bob.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await bob
      .getByRole('button', { name: /^Notifications/ })
      .first()
      .click()
    await bob.getByText('A member deleted their account. The 1h 35m they logged stays in the time logs.').waitFor()
  })
})

import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { addDays, dayAt, shortDay, weekStartOf } from '../../src/days'
import { inChromium } from '../support/chromium'
import { answerHeld, button, dialog, enter, failsOnce, isTitled, leads, press, says, told } from '../support/page'

const permissions = ['clipboard-read', 'clipboard-write']
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function create(page: Page, name: string, ...members: string[]): Promise<number> {
  const { id } = await (await page.request.post('/api/boards', { data: { name } })).json()
  for (const username of members) await page.request.post(`/api/boards/${id}/members`, { data: { username } })
  return id
}

inChromium('a profile', (site) => {
  async function opened(username: string) {
    const page = await site.account(username, { permissions })
    return page
  }

  test('has four tabs, and a link to it that is cut and copied whole', async () => {
    const page = await opened('maximiliane-mitterrand')
    await page.goto('/maximiliane-mitterrand')
    const { origin, host } = new URL(page.url())
    for (const name of ['Profile', 'Notifications', 'Subscription', 'Support'])
      await page.getByRole('tab', { name, exact: true }).waitFor()
    await says(page, `${host}/maximiliane-mit...`)
    expect(await leads(page, 'Your public profile')).toEqual(['/maximiliane-mitterrand?public=true'])
    await press(page, 'Copy the profile link')
    await told(page, 'Link Copied')
    expect(await clipboard(page)).toBe(`${origin}/maximiliane-mitterrand`)
    await isTitled(page, 'Maximiliane-mitterrand')
    const outline = () => page.locator(':focus').evaluate((tab) => [tab.textContent, getComputedStyle(tab).outlineStyle])
    await page.getByRole('tab', { name: 'Notifications' }).click()
    expect(await outline()).toEqual(['Notifications', 'none'])
    await page.keyboard.press('ArrowRight')
    await page.locator('[role=tab]:focus', { hasText: 'Subscription' }).waitFor()
    expect(await outline()).toEqual(['Subscription', 'solid'])
  })

  test('shows all of what is cut after 300 ms of pointing, and so does the sidebar', async () => {
    const NAME = 'maximiliane-montgomery'
    const [page, other] = await Promise.all([opened(NAME), opened('bob')])
    await other.clock.install()
    await other.goto(`/${NAME}`)
    const { origin, host } = new URL(other.url())
    const cut = [other.getByText(`${host}/maximiliane-mon...`), other.getByText('maximiliane-montgomery@ex...')]
    await Promise.all(cut.map((text) => text.waitFor()))
    await other.clock.pauseAt(Date.now() + 60_000)
    const tooltip = other.getByRole('tooltip')
    for (const [nth, text] of cut.entries()) {
      await text.hover()
      await other.clock.runFor(290)
      expect(await tooltip.count()).toBe(0)
      await other.clock.runFor(20)
      await other.getByRole('tooltip', { name: nth === 0 ? `${origin}/${NAME}` : `${NAME}@example.com` }).waitFor()
      await other.mouse.move(1_200, 700, { steps: 3 })
      await tooltip.waitFor({ state: 'detached' })
      await other.clock.runFor(1_000)
    }
    await other.clock.resume()
    await page.goto('/')
    await page.locator('aside').getByText('Maximiliane-...', { exact: true }).hover()
    await page.getByRole('tooltip', { name: 'Maximiliane-montgomery' }).waitFor()
  })

  test('of somebody else has their email to copy and to write to, and the way to shared boards', async () => {
    const [page] = await Promise.all([opened('cleo'), opened('dan')])
    await page.goto('/dan')
    await press(page, 'Copy the email address')
    await told(page, 'Email Copied')
    expect(await clipboard(page)).toBe('dan@example.com')
    expect(await leads(page, 'Email')).toEqual(['mailto:dan@example.com'])
    await button(page, 'Manage Board Access').waitFor()
  })

  test('says what each switch of mails is for, and when Free is answered', async () => {
    const page = await opened('eve')
    await page.goto('/eve')
    await page.getByRole('tab', { name: 'Notifications' }).click()
    await says(page, 'Email Notifications', 'Task Assignment', 'New Comments', 'Board Updates', 'Time Entries')
    await says(page, /when you are assigned to a task/i, /when someone comments on your tasks/i)
    await says(page, /when boards you are a member of are updated/i, /when time is logged on tasks in your boards/i)
    await page.getByRole('tab', { name: 'Support' }).click()
    await page.getByRole('heading', { name: 'Customer Support' }).waitFor()
    await says(page, /within 72 hours/)
  })

  test('says on which weekday weeks start, in calendars, the week of My time, periods and words', async () => {
    const page = await opened('wim')
    const choice = () => page.getByRole('combobox', { name: 'Week starts on' })
    await page.goto('/wim')
    expect(await choice().inputValue()).toBe('automatic')
    // As usual in the language of the browser, which is American.
    const boardId = await create(page, 'Garden')
    const task = await (await page.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Dig' } })).json()
    await page.request.post('/api/time-entries', { data: { taskId: task.id, duration: 60 } })
    const weekday = (first: string) => ({ Sun: 6, Sat: 5, Mon: 0 })[first] ?? expect.unreachable()
    const shows = async (first: string) => {
      const start = weekStartOf(dayAt(new Date()), weekday(first))
      await page.goto('/time')
      await page.getByRole('columnheader', { name: `${first} ${shortDay(start)}` }).waitFor()
      expect(await page.getByRole('columnheader').nth(1).textContent()).toContain(first)
      await page.goto('/')
      await page
        .getByRole('listitem')
        .filter({ hasText: /^.?(Sun|Mon|Satur)day: / })
        .first()
        .waitFor()
      expect(
        await page
          .getByTitle(/^\w+day: \d/)
          .first()
          .getAttribute('title'),
      ).toStartWith(first)
      await page.goto(`/board/${boardId}`)
      await press(page, 'Time Logs')
      const logs = dialog(page, 'Time Logs')
      await logs.getByRole('combobox', { name: 'Period' }).selectOption('This week')
      for (const [label, day] of [
        ['From', start],
        ['To', addDays(start, 6)],
      ] as const)
        expect((await logs.getByRole('textbox', { name: label }).inputValue()).split(',')[0]).toBe(shortDay(day))
      await button(page, 'Open the calendar').first().click()
      expect(await page.getByRole('gridcell').first().getByRole('button').getAttribute('aria-label')).toStartWith(first)
      await page.keyboard.press('Escape')
      await enter(logs.getByRole('textbox', { name: 'From' }), 'last week')
      expect((await logs.getByRole('textbox', { name: 'From' }).inputValue()).split(',')[0]).toBe(shortDay(addDays(start, -7)))
    }
    await shows('Sun')
    for (const [name, first] of [
      ['Saturday', 'Sat'],
      ['Monday', 'Mon'],
    ] as const) {
      await page.goto('/wim')
      await choice().selectOption(name)
      await told(page, 'Profile Updated')
      await shows(first)
    }
  })

  test('keeps its picture, and says so, where that cannot be removed', async () => {
    const page = await opened('fay')
    await page.route('**/trpc/auth.session*', async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      await route.fulfill({ response, body: text.replace('/images/default-profile.png', '/images/wrk-smart.png') })
    })
    await page.goto('/fay')
    await failsOnce(page, 'users.removeAvatar')
    await press(page, 'Remove avatar')
    await told(page, 'Removal Failed', 'Could not remove profile image. Please try again.')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('is edited in a dialog that has an address', async () => {
    const page = await opened('gus')
    await page.goto('/gus?edit=true')
    const form = dialog(page, 'Edit Profile')
    expect(await form.getByLabel('Name', { exact: true }).getAttribute('placeholder')).toBe('Your name')
    await form.getByText(`This changes your profile URL: ${new URL(page.url()).host}/gus`).waitFor()
    expect(await form.getByLabel('Description').getAttribute('rows')).toBe('3')
    for (const name of ['Cancel', 'Save Changes']) await form.getByRole('button', { name }).waitFor()
    const held = await answerHeld(page, 'users.update')
    await enter(form.getByLabel('Name', { exact: true }), 'Gustav')
    await held.given
    await form.getByLabel('Description').fill('Prints catalogues')
    held.release()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Gustav' }).waitFor()
    await page.goto('/gus?edit=true')
    await form.waitFor()
    expect(await form.getByLabel('Description').inputValue()).toBe('Prints catalogues')
  })

  test('is edited in a dialog that Back closes, and that it passes by once it was closed otherwise', async () => {
    const page = await opened('hugo')
    await page.goto('/')
    await page.getByText('Welcome, Hugo').waitFor()
    await page.goto('/hugo')
    const form = dialog(page, 'Edit Profile')
    await press(page, 'Edit Profile')
    await form.waitFor()
    await page.goBack()
    await form.waitFor({ state: 'detached' })
    await press(page, 'Edit Profile')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByText('Welcome, Hugo').waitFor()
  })

  test('has toasts beside a dialog, on phones at the top, and else at the bottom right, 420 px wide at most', async () => {
    const page = await opened('hal')
    await page.goto('/hal?edit=true')
    const box = async () =>
      (await page.getByRole('listitem').filter({ hasText: 'Update Failed' }).boundingBox()) ?? expect.unreachable()
    const form = dialog(page, 'Edit Profile')
    await form.getByLabel('Name', { exact: true }).fill('Max')
    await failsOnce(page, 'users.update')
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await says(page, 'Could not update your profile. Please try again.')
    const beside = await box()
    expect([beside.x + beside.width > 1_200, beside.y > 600]).toEqual([true, true])
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
    const wide = await box()
    expect(wide.width).toBeLessThanOrEqual(420)
    expect([wide.x + wide.width > 1_200, wide.y > 600]).toEqual([true, true])
    await page.setViewportSize({ width: 390, height: 800 })
    expect((await box()).y).toBeLessThan(200)
  })

  test('of somebody else adds them to boards and removes them, which is summed; the list is 220 px high', async () => {
    const [page, , carl] = await Promise.all([opened('ivy'), opened('jon'), opened('carl')])
    await Promise.all([create(page, 'Own', 'jon'), create(carl, 'His', 'ivy')])
    await page.goto('/jon')
    await press(page, 'Manage Board Access')
    const access = dialog(page, 'Manage Board Access')
    await access.getByRole('checkbox', { name: 'Own' }).uncheck()
    await access.getByRole('checkbox', { name: 'His' }).check()
    expect((await access.getByRole('list', { name: 'Your boards' }).boundingBox())?.height).toBe(220)
    await press(page, 'Apply Changes')
    await told(page, 'Board Access Updated', 'Added to 1 board(s) and removed from 1 board(s).')
  })

  test('is where an avatar on a board leads, the own one to its editing; 5 are shown, then how many more', async () => {
    const others = ['kim', 'lou', 'mia', 'ned']
    const [page, owner] = await Promise.all([opened('zoe'), opened('yan'), ...others.map(opened)])
    await page.goto(`/board/${await create(owner, 'Many', 'zoe', ...others)}`)
    const group = page.locator('main header').getByRole('list').filter({ hasText: '+1' })
    await group.waitFor()
    expect(await group.getByRole('link').count()).toBe(5)
    expect(await group.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toContain(
      '/zoe?edit=true',
    )
    expect(await group.getByRole('link', { name: 'Yan' }).getAttribute('href')).toBe('/yan')
  })
})

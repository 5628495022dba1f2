import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { users } from '../../src/db/schema'
import { findsNothing } from '../support/axe'
import { inChromium, sharedBoard } from '../support/chromium'
import { openInMemory } from '../support/databases'
import { card, press, toast } from '../support/page'

const logs = (page: Page) => page.getByRole('dialog', { name: 'Time Logs', exact: true })
const said = (page: Page, text: string) => logs(page).getByRole('status').filter({ hasText: text }).waitFor()
const rows = (page: Page) => logs(page).getByRole('table', { name: 'Time entries' }).locator('tbody tr')
const away = (page: Page, name: string) =>
  page.route(`**/trpc/time.${name}*`, (route) => route.fulfill({ status: 503, body: '' }))

inChromium('time that is invoiced', (site) => {
  test('has its price where one may see it, on paper too; what is asked for stays while nothing can be read or changed', async () => {
    const [ada, bob] = await Promise.all([site.open('ada', { acceptDownloads: true }), site.open('bob', { colorScheme: 'dark' })])
    const boardId = await sharedBoard(ada, bob, ['ilse', 'igor'], ['One'])
    const taskId = Number(await card(ada, 'One').getAttribute('data-task'))
    const log = (page: Page, given: object) => page.request.post('/api/time-entries', { data: { taskId, ...given } })

    // What is typed into a dialog is there still when the window becomes another.
    await card(ada, 'One').click()
    await press(ada, 'Add Time Entry')
    await ada.getByRole('spinbutton', { name: 'Minutes' }).fill('20')
    await ada.getByRole('switch', { name: 'Billable' }).click()
    for (const width of [900, 1280]) {
      await ada.setViewportSize({ width, height: 800 })
      await ada.getByRole('dialog', { name: 'Add Time Entry' }).waitFor()
    }
    await ada.getByRole('dialog', { name: 'Add Time Entry' }).getByRole('button', { name: 'Add Time Entry' }).click()
    await ada.getByRole('list', { name: 'Time entries' }).getByText('Not billable').waitFor()
    await ada.getByRole('button', { name: 'Close' }).last().click()

    await log(bob, { duration: 50, note: 'Drawn' })
    await press(bob, 'Time Logs')
    await said(bob, '2h 10m in 2 entries')
    expect(await logs(bob).getByRole('region', { name: 'Invoicing' }).count()).toBe(0)
    await press(ada, 'Time Logs')
    await press(ada, 'Hourly rates')
    await press(ada, 'Set the rate of Igor')
    await ada.getByLabel('Hourly rate (CAD)').fill('lots')
    await press(ada, 'Save rate')
    await ada.getByText('An hourly rate is between 0 and 10,000 CAD').waitFor()
    await away(ada, 'setRate')
    await ada.getByLabel('Hourly rate (CAD)').fill('85,50')
    await press(ada, 'Save rate')
    await toast(ada, 'Update Failed', 'Could not update the hourly rate. Please try again.')
    expect(await ada.getByLabel('Hourly rate (CAD)').inputValue()).toBe('85,50')
    await ada.unrouteAll()
    await findsNothing(ada, 'a rate that is set')
    await press(ada, 'Save rate')
    await ada.getByRole('list', { name: 'Rates of Igor' }).getByText('CA$85.50 an hour, from the beginning').waitFor()
    await ada.keyboard.press('Escape')
    await said(ada, 'CA$71.25 for 0h 50m billable')
    await said(bob, 'CA$71.25 for 0h 50m billable, yours only')
    await rows(bob).filter({ hasText: 'Drawn' }).getByText('CA$71.25').waitFor()
    await findsNothing(bob, 'Time Logs with amounts')
    const ofIgor = logs(ada).getByRole('list', { name: 'By person' }).getByRole('listitem').filter({ hasText: 'Igor' })
    await ofIgor.getByText('CA$71.25 for 0h 50m billable').waitFor()
    // It names the rate that would count instead.
    await press(ada, 'Hourly rates')
    const removal = ada.getByRole('alertdialog')
    await press(ada, 'Remove CA$85.50 from the beginning')
    await removal.getByText('What Igor did from the beginning then has no rate, and no amount').waitFor()
    await removal.getByRole('button', { name: 'Cancel' }).click()
    await press(ada, 'Set the rate of Igor')
    await ada.getByLabel('From').last().fill('2999-01-01')
    await ada.getByLabel('Hourly rate (CAD)').fill('90')
    await press(ada, 'Save rate')
    await press(ada, 'Remove CA$90.00 from Jan 1, 2999')
    await removal.getByText('then counts at CA$85.50 an hour, the rate before').waitFor()
    await removal.getByRole('button', { name: 'Remove Rate' }).click()
    await removal.waitFor({ state: 'detached' })
    await ada.keyboard.press('Escape')
    await logs(ada).getByRole('combobox', { name: 'Round up each entry' }).selectOption('Up to 30 minutes each')
    await said(ada, 'CA$85.50 for 1h 0m billable')
    const [download] = await Promise.all([ada.waitForEvent('download'), press(ada, 'Invoice CSV')])
    expect(download.suggestedFilename()).toBe('Spring catalogue - invoice.csv')
    expect(await Bun.file(await download.path()).text()).toContain(',50,0h 50m,Drawn,Yes,60,85.50,85.50')

    for (const page of [ada, bob]) await page.evaluate(() => Object.assign(window, { print: () => {} }))
    await press(bob, 'Print')
    const total = bob.locator('[data-sheet] tr').filter({ hasText: 'Total' })
    await total.waitFor({ state: 'attached' })
    expect(await total.textContent()).toBe('Total2h 10m0h 50mCA$71.25your amounts only')
    await bob.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await bob.locator('[data-sheet]').waitFor({ state: 'detached' })
    for (const [format, width] of [
      ['A4', 595],
      ['Letter', 612],
    ] as const) {
      await press(ada, 'Print')
      const sheet = ada.locator('[data-sheet]')
      await sheet.waitFor({ state: 'attached' })
      expect(await sheet.locator('tr').filter({ hasText: 'Total' }).textContent()).toBe('Total2h 10m1h 0mCA$85.50')
      const pdf = (await ada.pdf({ format })).toString('latin1')
      // One sheet, of that size, and not the page behind it.
      expect([/\/Count (\d+)/.exec(pdf)?.[1], Math.floor(Number(/\/MediaBox \[0 0 ([\d.]+)/.exec(pdf)?.[1]))]).toEqual([
        '1',
        width,
      ])
      await sheet.waitFor({ state: 'detached' })
    }

    // What is asked for stays where it cannot be read, and what is odd about it is said.
    // A page opened anew: what was said of the rates before would have the report read again, and mend it by itself.
    await ada.reload()
    await press(ada, 'Time Logs')
    await said(ada, '2h 10m in 2 entries')
    const height = () => logs(ada).evaluate((dialog) => dialog.getBoundingClientRect().height)
    const before = await height()
    await away(ada, 'report')
    await logs(ada).getByRole('combobox', { name: 'Period' }).selectOption('Last 7 days')
    await logs(ada).getByRole('alert').getByText('Error loading time entries').waitFor()
    expect(await logs(ada).getByRole('combobox', { name: 'Period' }).inputValue()).toBe('last7days')
    await ada.unrouteAll()
    await press(ada, 'Try again')
    await said(ada, '2h 10m in 2 entries')
    await logs(ada).getByLabel('From').fill('2999-01-01')
    await logs(ada).getByText('Later than the last day').waitFor()
    await logs(ada).getByText('No time entries match the filters').waitFor()
    expect(await height()).toBe(before)
    await press(ada, 'Clear filters')
    await said(ada, '2h 10m in 2 entries')

    // On a board that the plan has locked, all is read, and nothing is offered that would be refused.
    const { db } = await openInMemory()
    const setPro = (isPro: boolean) => db.update(users).set({ isPro }).where(eq(users.username, 'ilse'))
    await setPro(true)
    const second = await (await ada.request.post('/api/boards', { data: { name: 'Second' } })).json()
    const task = await (await ada.request.post(`/api/boards/${second.id}/tasks`, { data: { title: 'Far' } })).json()
    await ada.request.patch(`/api/boards/${second.id}/rates/${second.createdBy}`, { data: { from: null, cents: 6_000 } })
    await log(ada, { taskId: task.id, duration: 60 })
    await setPro(false)
    await ada.goto(`/board/${second.id}`)
    await press(ada, 'Time Logs')
    await said(ada, 'CA$60.00 for 1h 0m billable')
    expect(await rows(ada).getByRole('button').count()).toBe(0)
    await press(ada, 'Hourly rates')
    await ada.getByText('CA$60.00 an hour, from the beginning').waitFor()
    expect(await ada.getByRole('dialog', { name: 'Hourly rates' }).getByRole('button').allTextContents()).toEqual([''])
    await ada.goto(`/board/${second.id}#task-${task.id}`)
    await ada.getByRole('list', { name: 'Time entries' }).waitFor()
    const time = ada.getByRole('region', { name: 'Time tracking' })
    expect(await time.getByRole('button').count()).toBe(0)

    // With the last entry goes its button; the focus does not get lost.
    await ada.goto(`/board/${boardId}`)
    for (const page of [bob, ada]) {
      if (page === ada) await press(ada, 'Time Logs')
      await rows(page).getByRole('button', { name: 'Delete time entry' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await toast(page, 'Time entry deleted')
    }
    await ada.waitForFunction(() => document.activeElement?.textContent === 'Open a task to add time')
  })

  test('what rates became while one was cut off is there when one is back', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    const boardId = await sharedBoard(ada, bob, ['kaja', 'knut'], ['One'])
    const taskId = Number(await card(ada, 'One').getAttribute('data-task'))
    await bob.request.post('/api/time-entries', { data: { taskId, duration: 60 } })
    const members = await (await ada.request.get(`/api/boards/${boardId}`)).json()
    const knut = members.members.find(({ username }: { username: string }) => username === 'knut').id
    await press(bob, 'Time Logs')
    await said(bob, '1h 0m in 1 entry')
    await bob.context().setOffline(true)
    await bob.getByText('Reconnecting…').waitFor({ state: 'attached' })
    await ada.request.patch(`/api/boards/${boardId}/rates/${knut}`, { data: { from: null, cents: 6_000 } })
    await bob.context().setOffline(false)
    await said(bob, 'CA$60.00 for 1h 0m billable, yours only')
  })
})

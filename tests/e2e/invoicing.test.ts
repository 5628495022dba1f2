import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { users } from '../../src/db/tables'
import { findsNothing } from '../support/axe'
import { inChromium } from '../support/chromium'
import { openQuick } from '../support/databases'
import { answerHeld, card, dialog, isOn, press, toast } from '../support/page'
import { choose, logger, logs, openLogs, refuseTime, rows, sums } from './timePages'

inChromium('time that is invoiced', (site) => {
  /**
   * Ada and Bob have logged time on her board, of which 50 minutes of Bob's are billable, at $85.50 an hour where rated; both
   * have it open unless told otherwise.
   */
  async function worked(names: [string, string], { rated = true, alone = false } = {}) {
    const { ada, bob, boardId } = await site.sharedBoard(names, ['One'], {
      ada: { acceptDownloads: true },
      bob: { colorScheme: 'dark' },
      seenBy: alone ? ['ada'] : ['ada', 'bob'],
    })
    const log = logger(Number(await card(ada, 'One').getAttribute('data-task')))
    await log(ada, { duration: 80, billable: false })
    await log(bob, { duration: 50, note: 'Drawn' })
    const { members } = await (await ada.request.get(`/api/boards/${boardId}`)).json()
    const bobId = members.find(({ username }: { username: string }) => username === names[1]).id
    const setRate = (cents: number) => ada.request.patch(`/api/boards/${boardId}/rates/${bobId}`, { data: { from: null, cents } })
    if (rated) await setRate(8_550)
    return { ada, bob, boardId, bobId, setRate }
  }

  test('is billable or not, which stays in its dialog when the window becomes another', async () => {
    const { ada } = await site.ownBoard(['nele', 'nils'], ['One'])
    await card(ada, 'One').click()
    await press(ada, 'Add Time Entry')
    await ada.getByRole('spinbutton', { name: 'Minutes' }).fill('20')
    await ada.getByRole('switch', { name: 'Billable' }).click()
    for (const width of [900, 1280]) {
      await ada.setViewportSize({ width, height: 800 })
      await dialog(ada, 'Add Time Entry').waitFor()
    }
    await dialog(ada, 'Add Time Entry').getByRole('button', { name: 'Add Time Entry' }).click()
    await ada.getByRole('list', { name: 'Time entries' }).getByText('Not billable').waitFor()
    await ada.getByRole('button', { name: 'Close' }).last().click()
    await openLogs(ada, '1h 20m in 1 entry')
  })

  test('has its price at once, for its creator and for whoever did it, when a rate is set', async () => {
    const { ada, bob } = await worked(['ilse', 'igor'], { rated: false })
    await openLogs(bob, '2h 10m in 2 entries')
    expect(await logs(bob).getByRole('region', { name: 'Invoicing' }).count()).toBe(0)
    await press(ada, 'Time Logs')
    await press(ada, 'Hourly rates')
    await press(ada, 'Set rate for Igor')
    const rate = ada.getByLabel('Hourly rate (CAD)')
    // Escape leaves the form, not yet the dialog around it.
    await rate.press('Escape')
    await isOn(ada, 'Set rate for Igor')
    await ada.keyboard.press('Enter')
    await rate.fill('lots')
    await press(ada, 'Save rate')
    await ada.getByText('An hourly rate must be between 0 and 10,000 CAD').waitFor()
    await refuseTime(ada, 'setRate')
    await rate.fill('85,50')
    await press(ada, 'Save rate')
    await toast(ada, 'Update Failed', 'Could not update the hourly rate. Please try again.')
    expect(await rate.inputValue()).toBe('85,50')
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await findsNothing(ada, 'a rate that is set')
    await press(ada, 'Save rate')
    await ada.getByRole('list', { name: 'Rates for Igor' }).getByText('$85.50 an hour, from the beginning').waitFor()
    await isOn(ada, 'Change rate for Igor')
    await ada.keyboard.press('Escape')
    await sums(ada, '$71.25 CAD for 0h 50m of billable time')
    await sums(bob, '$71.25 CAD for 0h 50m of billable time, your own only')
    await rows(bob).filter({ hasText: 'Drawn' }).getByText('$71.25').waitFor()
    await findsNothing(bob, 'Time Logs with amounts')
    const ofIgor = logs(ada).getByRole('list', { name: 'By user' }).getByRole('listitem').filter({ hasText: 'Igor' })
    await ofIgor.getByText('$71.25 · 0h 50m billable').waitFor()
  })

  test('is asked about before a rate is removed: which one would count instead, if any', async () => {
    const { ada } = await worked(['jule', 'joel'], { alone: true })
    await openLogs(ada, '$71.25 CAD for 0h 50m of billable time')
    await press(ada, 'Hourly rates')
    const removal = ada.getByRole('alertdialog')
    await press(ada, 'Remove the $85.50 rate that applies from the beginning')
    await removal.getByText('Joel’s work will have no rate.').waitFor()
    await removal.getByRole('button', { name: 'Cancel' }).click()
    await press(ada, 'Change rate for Joel')
    // The calendar closes first, then the form would.
    await ada.getByLabel('From').last().press('ArrowDown')
    await dialog(ada, 'Calendar').press('Escape')
    await dialog(ada, 'Calendar').waitFor({ state: 'detached' })
    await ada.getByLabel('From').last().fill('2999-01-01')
    await ada.getByLabel('Hourly rate (CAD)').fill('90')
    await press(ada, 'Save rate')
    await press(ada, 'Remove the $90.00 rate that applies from Jan 1, 2999')
    await removal.getByText('will be billed at $85.50 an hour, the previous rate.').waitFor()
    await removal.getByRole('button', { name: 'Remove rate' }).click()
    await removal.waitFor({ state: 'detached' })
    await isOn(ada, 'Change rate for Joel')
  })

  test('keeps the rate of who left the board in sight, whatever the filter', async () => {
    const { ada, boardId, bobId } = await worked(['lore', 'luca'], { alone: true })
    expect((await ada.request.delete(`/api/boards/${boardId}/members/${bobId}`)).ok()).toBe(true)
    await openLogs(ada, '$71.25 CAD for 0h 50m of billable time')
    await press(ada, 'Users: All users')
    await ada.getByRole('checkbox', { name: 'Lore' }).check()
    await ada.keyboard.press('Escape')
    await logs(ada).getByText('1h 20m in 1 entry').waitFor()
    await press(ada, 'Hourly rates')
    await ada.getByRole('list', { name: 'Rates for Luca' }).getByText('$85.50 an hour').waitFor()
  })

  test('is rounded up as one wants it, and downloaded as an invoice', async () => {
    const { ada } = await worked(['kate', 'kurt'], { alone: true })
    await openLogs(ada, '$71.25 CAD for 0h 50m of billable time')
    await choose(ada, 'Round up each entry', 'Rounded up to the next 30 minutes')
    await sums(ada, '$85.50 CAD for 1h 0m of billable time')
    const [download] = await Promise.all([ada.waitForEvent('download'), press(ada, 'Invoice CSV')])
    expect(download.suggestedFilename()).toBe('Spring catalogue - invoice.csv')
    expect(await Bun.file(await download.path()).text()).toContain(',50,0h 50m,Drawn,Yes,60,85.50,85.50')
  })

  test('is printed on one sheet of the size one has, with the amounts that one may see', async () => {
    const { ada, bob } = await worked(['lena', 'lars'])
    for (const page of [ada, bob]) await page.evaluate(() => Object.assign(window, { print: () => {} }))
    await openLogs(bob, '$71.25 CAD for 0h 50m of billable time')
    await press(bob, 'Print')
    await totalOnPaper(bob).waitFor({ state: 'attached' })
    expect(await totalOnPaper(bob).textContent()).toBe('Total2h 10m0h 50m$71.25 CADyour amounts only')
    await bob.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await sheet(bob).waitFor({ state: 'detached' })
    await openLogs(ada, '$71.25 CAD for 0h 50m of billable time')
    await choose(ada, 'Round up each entry', 'Rounded up to the next 30 minutes')
    await sums(ada, '$85.50 CAD for 1h 0m of billable time')
    for (const [format, width] of [
      ['A4', 595],
      ['Letter', 612],
    ] as const) {
      await press(ada, 'Print')
      await sheet(ada).waitFor({ state: 'attached' })
      expect(await totalOnPaper(ada).textContent()).toBe('Total2h 10m1h 0m$85.50 CAD')
      const pdf = (await ada.pdf({ format })).toString('latin1')
      // One sheet, of that size, and not the page behind it.
      expect([/\/Count (\d+)/.exec(pdf)?.[1], Math.floor(Number(/\/MediaBox \[0 0 ([\d.]+)/.exec(pdf)?.[1]))]).toEqual([
        '1',
        width,
      ])
      await sheet(ada).waitFor({ state: 'detached' })
    }
  })

  test('says on paper what is printed, whatever is chosen while it is read', async () => {
    const { ada } = await worked(['lilo', 'lutz'], { alone: true })
    await ada.evaluate(() => Object.assign(window, { print: () => {} }))
    await openLogs(ada, '$71.25 CAD for 0h 50m of billable time')
    const { given, release } = await answerHeld(ada, 'time.statement')
    await press(ada, 'Print')
    await given
    await choose(ada, 'Round up each entry', 'Rounded up to the next 30 minutes')
    await choose(ada, 'Period', 'Last month')
    await logs(ada).getByText('No time entries match the filters').waitFor()
    release()
    await totalOnPaper(ada).waitFor({ state: 'attached' })
    expect(await totalOnPaper(ada).textContent()).toBe('Total2h 10m0h 50m$71.25 CAD')
    expect(await sheet(ada).locator('header').textContent()).toBe('Time reportSpring catalogueAll time')
    expect(await sheet(ada).getByText('rounded up').count()).toBe(0)
  })

  test('is all to be read on a board that the plan has locked, where nothing is offered that would be refused', async () => {
    const { ada } = await worked(['mara', 'mats'], { alone: true })
    const { db } = await openQuick()
    const setPro = (isPro: boolean) => db.update(users).set({ isPro }).where(eq(users.username, 'mara'))
    await setPro(true)
    const second = await (await ada.request.post('/api/boards', { data: { name: 'Second' } })).json()
    const task = await (await ada.request.post(`/api/boards/${second.id}/tasks`, { data: { title: 'Far' } })).json()
    await ada.request.patch(`/api/boards/${second.id}/rates/${second.createdBy}`, { data: { from: null, cents: 6_000 } })
    await logger(task.id)(ada, {})
    await setPro(false)
    await ada.goto(`/board/${second.id}`)
    await openLogs(ada, '$60.00 CAD for 1h 0m of billable time')
    expect(await rows(ada).getByRole('button').count()).toBe(0)
    await press(ada, 'Hourly rates')
    await ada.getByText('$60.00 an hour, from the beginning').waitFor()
    expect(await dialog(ada, 'Hourly rates').getByRole('button').allTextContents()).toEqual([''])
    await ada.goto(`/board/${second.id}#task-${task.id}`)
    await ada.getByRole('list', { name: 'Time entries' }).waitFor()
    expect(await ada.getByRole('region', { name: 'Time tracking' }).getByRole('button').count()).toBe(0)
  })

  test('has its price when one is back, where the rate was set while one was cut off', async () => {
    const { bob, setRate } = await worked(['kaja', 'knut'], { rated: false })
    await openLogs(bob, '2h 10m in 2 entries')
    await bob.context().setOffline(true)
    await bob.getByText('Reconnecting…').waitFor({ state: 'attached' })
    await setRate(6_000)
    await bob.context().setOffline(false)
    await sums(bob, '$50.00 CAD for 0h 50m of billable time, your own only')
  })
})

const sheet = (page: Page) => page.locator('[data-sheet]')
const totalOnPaper = (page: Page) => sheet(page).locator('tr').filter({ hasText: 'Total' })

import { expect, test } from 'bun:test'
import type { Download, Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { asksAgain, button, dialog, hasFocus, heldBack, isOn, press, scriptHeldBack, toast } from '../support/page'
import { until } from '../support/until'
import { choose, closeTask, confirmDeletion, fill, logs, openLogs, openTask, rows, sums } from './timePages'

const timeZone = 'America/St_Johns'
/** A moment's day as the input for days wants it, where Ada is. */
const DAY_THERE = new Intl.DateTimeFormat('en-CA', { timeZone })
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const textOf = async (download: Download) => Bun.file(await download.path()).text()

async function only(page: Page, label: string, name: string) {
  await logs(page).getByRole('button', { name: label }).click()
  await page.getByRole('checkbox', { name }).check()
  await page.keyboard.press('Escape')
}

/** Presses Escape in the very moment in which a question gets the focus. */
const escapeAsItIsFocused = (page: Page) =>
  page.evaluate(() => {
    const press = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || !target.closest('[role=alertdialog]')) return
      removeEventListener('focusin', press)
      document.body.setAttribute('data-escaped', '')
      target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
    }
    addEventListener('focusin', press)
  })

inChromium('the Time Logs of a board', (site) => {
  /** Twelve entries of Ada's, four days apart, and one of Bob's; Ada has them before her. */
  async function openFullLogs(names: [string, string]) {
    const { ada, bob, secondId, log } = await openTask(
      site,
      names,
      { timezoneId: timeZone, acceptDownloads: true },
      { alone: true },
    )
    await closeTask(ada)
    for (let n = 1; n <= 12; n++) await log(ada, { startTime: ago(n * 4), timeZone, note: `No. ${n};`, duration: n })
    await log(bob, { taskId: secondId, startTime: ago(0), timeZone, note: '=1+1, "quoted"', duration: 600 })
    await openLogs(ada, '11h 18m in 13 entries')
    return { ada, bob, log }
  }

  test('say that they load while their script is on its way, and are asked for once', async () => {
    const { ada, boardId, log } = await openTask(site, ['jill', 'jens'], {}, { alone: true })
    await log(ada, { startTime: ago(0), timeZone, duration: 60 })
    const release = await scriptHeldBack(ada, 'No time entries match the filters')
    const reports: string[] = []
    ada.on('request', (request) => request.url().includes('time.report') && reports.push(request.url()))
    await ada.goto(`/board/${boardId}`)
    await press(ada, 'Time Logs')
    await logs(ada).getByText('Loading time entries...').waitFor()
    await release()
    await sums(ada, '1h 0m in 1 entry')
    expect(reports.length).toBe(1)
  })

  test('are opened by a button or by an event, and lead to tasks where there is nothing yet', async () => {
    const { ada, boardId, secondId } = await openTask(site, ['gwen', 'gerd'], {}, { alone: true })
    await closeTask(ada)
    await press(ada, 'Time Logs')
    await ada.getByText('Open a task to add time').waitFor()
    await ada.getByRole('combobox', { name: 'Task' }).selectOption('Two')
    await press(ada, 'Open task')
    await ada.waitForURL(`**/board/${boardId}#task-${secondId}`)
    await dialog(ada, 'Two').getByRole('button', { name: 'Close' }).last().click()
    await ada.evaluate(() => window.dispatchEvent(new Event('open-time-logs')))
    await toast(ada, 'Time Logs Opened')
    await logs(ada).waitFor()
  })

  test('show ten entries a page, and what others log meanwhile', async () => {
    const { ada, bob, log } = await openFullLogs(['hana', 'hugo'])
    expect(await rows(ada).count()).toBe(10)
    const table = logs(ada).getByRole('table', { name: 'Time entries' })
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      ...['Task', 'User', 'Date', 'Duration', 'Notes', 'Actions'],
    ])
    expect(await rows(ada).first().getByRole('button').count()).toBe(0)
    expect(await rows(ada).first().getByRole('cell').last().textContent()).toStartWith('–')
    await press(ada, 'Page 2')
    await rows(ada).filter({ hasText: 'No. 12;' }).waitFor()
    expect(await rows(ada).count()).toBe(3)
    await log(bob, { startTime: ago(400), timeZone, note: 'Long ago', duration: 2 })
    await rows(ada).filter({ hasText: 'Long ago' }).waitFor()
  })

  test('say the hours of one to three days in words, and show more as bars with their days below them', async () => {
    const { ada, log } = await openTask(site, ['hedy', 'hans'], { timezoneId: timeZone }, { alone: true })
    await closeTask(ada)
    const days = logs(ada).getByRole('list', { name: 'Hours per day' }).getByRole('listitem')
    // Of another year, whose labels are longer.
    await log(ada, { startTime: '2024-03-04T15:00:00Z', timeZone, duration: 60 })
    await openLogs(ada, '1h 0m in 1 entry')
    expect(await days.allTextContents()).toEqual(['Mar 4, 20241h 0m'])
    await log(ada, { startTime: '2024-03-05T15:00:00Z', timeZone, duration: 30 })
    await sums(ada, '1h 30m in 2 entries')
    expect(await days.allTextContents()).toEqual(['Mar 4, 20241h 0m', 'Mar 5, 20240h 30m'])
    await log(ada, { startTime: '2024-03-07T15:00:00Z', timeZone, duration: 30 })
    await sums(ada, '2h 0m in 3 entries')
    const bars = logs(ada).locator('[data-bars]')
    await until('four bars', async () => (await bars.locator('> *').count()) === 4)
    expect(await days.count()).toBe(0)
    const places = await bars.evaluate((axis) => {
      const boxOf = (one?: Element | null) => one?.getBoundingClientRect() ?? new DOMRect()
      const labels = axis.nextElementSibling
      const [first, last] = [boxOf(labels?.firstElementChild), boxOf(labels?.lastElementChild)]
      const [from, to, around] = [boxOf(axis.firstElementChild), boxOf(axis.lastElementChild), boxOf(axis)]
      return {
        first: first.left - from.left,
        last: last.right - to.right,
        axis: around.right - to.right,
        apart: last.left > first.right,
      }
    })
    expect(places).toEqual({ first: 0, last: 0, axis: 0, apart: true })
  })

  test('have the width that there is, and one scroll', async () => {
    const { ada, log } = await openTask(site, ['hope', 'hein'], { viewport: { width: 1440, height: 900 } }, { alone: true })
    await closeTask(ada)
    for (const n of Array(12).keys()) await log(ada, { startTime: ago(n) })
    await openLogs(ada, '12h 0m in 12 entries')
    expect((await logs(ada).boundingBox())?.width).toBe(1_200)
    const table = await logs(ada).getByRole('table', { name: 'Time entries' }).boundingBox()
    const chart = await logs(ada).getByRole('region', { name: 'Hours per day' }).boundingBox()
    expect(chart && table && chart.x > table.x + table.width && chart.y < 450).toBe(true)
    const scrolling = await logs(ada).evaluate(
      (dialog) =>
        [...document.querySelectorAll('*')].filter(
          (one) =>
            (one === document.documentElement || dialog.contains(one)) &&
            one.scrollHeight > one.clientHeight &&
            /auto|scroll/.test(getComputedStyle(one).overflowY),
        ).length,
    )
    expect(scrolling).toBeLessThan(2)
    await ada.setViewportSize({ width: 390, height: 844 })
    expect(await logs(ada).evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true)
  })

  test('are filtered by period, person and task, from the first page on', async () => {
    const { ada } = await openFullLogs(['ida', 'igor'])
    await choose(ada, 'Period', 'Last 7 days')
    await sums(ada, '10h 1m in 2 entries')
    const periods = logs(ada).getByRole('combobox', { name: 'Period' }).locator('option')
    expect((await periods.allTextContents()).slice(-3)).toEqual(['This month', 'Last month', 'All time'])
    await choose(ada, 'Period', 'Last month')
    const from = logs(ada).getByLabel('From')
    await until('the first of a month', async () => / 1\b/.test(await from.inputValue()))
    await choose(ada, 'Period', 'All time')
    await choose(ada, 'Rows per page', '5')
    await press(ada, 'Page 3')
    await only(ada, 'Users: All users', 'Ida')
    await sums(ada, '1h 18m in 12 entries')
    await logs(ada).getByRole('button', { name: 'Page 1' }).and(logs(ada).locator('[aria-current]')).waitFor()
    await logs(ada)
      .getByLabel('From')
      .fill(DAY_THERE.format(new Date(ago(20))))
    expect(await logs(ada).getByRole('combobox', { name: 'Period' }).inputValue()).toBe('custom')
    await sums(ada, 'in 5 entries')
    expect(await logs(ada).getByLabel('Rows per page').count()).toBe(1)
    await only(ada, 'Tasks: All tasks', 'Two')
    await logs(ada).getByText('No time entries match the filters').waitFor()
    // What is pressed to be rid of a choice is gone with it, and the focus is not.
    await press(ada, 'Tasks: Two')
    await press(ada, 'All tasks')
    await ada.waitForFunction(() => document.activeElement?.matches('[role=dialog][aria-label=Tasks] [type=checkbox]'))
    await ada.keyboard.press('Escape')
    await isOn(ada, 'Tasks: All tasks')
    await press(ada, 'Clear filters')
    await sums(ada, 'in 13 entries')
    await ada.waitForFunction(() => document.activeElement?.matches('search select'))
  })

  test('are where own entries are edited and deleted', async () => {
    const { ada } = await openFullLogs(['jana', 'jupp'])
    await rows(ada).filter({ hasText: 'No. 1;' }).getByRole('button', { name: 'Edit time entry' }).click()
    await fill(ada, { hours: '1', note: 'No. 1, longer' })
    await press(ada, 'Save Changes')
    await toast(ada, 'Time entry updated')
    await sums(ada, '12h 18m in 13 entries')
    const removal = rows(ada).filter({ hasText: 'No. 2;' }).getByRole('button', { name: 'Delete time entry' })
    const question = ada.getByRole('alertdialog')
    await escapeAsItIsFocused(ada)
    await removal.click()
    await ada.locator('[data-escaped]').waitFor()
    await question.waitFor({ state: 'detached' })
    await removal.click()
    await confirmDeletion(ada)
    await toast(ada, 'Time entry deleted')
    await sums(ada, '12h 16m in 12 entries')
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === '12h 16m in 12 entries')
  })

  test('are downloaded as they are filtered; where nothing is left, that is said', async () => {
    const { ada, log } = await openFullLogs(['kira', 'kuno'])
    await log(ada, { startTime: ago(1), timeZone, note: 'No. 13, longer', duration: 61 })
    await only(ada, 'Users: All users', 'Kira')
    await logs(ada)
      .getByLabel('From')
      .fill(DAY_THERE.format(new Date(ago(20))))
    await sums(ada, 'in 6 entries')
    const [download] = await Promise.all([ada.waitForEvent('download'), press(ada, 'Download CSV')])
    await toast(ada, 'Download Started')
    expect(download.suggestedFilename()).toContain('Spring catalogue')
    expect(download.suggestedFilename()).toContain('filtered')
    const text = await textOf(download)
    expect(text.split('\r\n').filter(Boolean).length).toBe(7)
    expect(text).toContain('Task,User,Date,Duration (minutes),Duration (formatted),Notes')
    expect(text).toContain('61,1h 1m,"No. 13, longer"')
    await only(ada, 'Tasks: All tasks', 'Two')
    await logs(ada).getByText('No time entries match the filters').waitFor()
    await press(ada, 'Download CSV')
    await toast(ada, 'No entries to export', 'There are no time entries matching your current filters.')
  })

  test('keep what is asked for where it cannot be read, and their height where nothing matches', async () => {
    const { ada } = await openFullLogs(['lisa', 'lutz'])
    const height = () => logs(ada).evaluate((element) => element.getBoundingClientRect().height)
    const before = await height()
    await ada.route('**/trpc/time.report*', (route) => route.fulfill({ status: 503, body: '' }))
    await choose(ada, 'Period', 'Last 7 days')
    await logs(ada).getByRole('alert').getByText('Error loading time entries').waitFor()
    expect(await logs(ada).getByRole('combobox', { name: 'Period' }).inputValue()).toBe('last7days')
    await asksAgain(ada, 'time.report')
    await sums(ada, '10h 1m in 2 entries')
    await logs(ada).getByLabel('From').fill('2999-01-01')
    await logs(ada).getByText('Must be on or before “To”').waitFor()
    await logs(ada).getByText('No time entries match the filters').waitFor()
    expect(await height()).toBe(before)
    await press(ada, 'Clear filters')
    await sums(ada, '11h 18m in 13 entries')
  })

  test('do not say that nothing is there yet while what is asked for now is read', async () => {
    const { ada } = await openFullLogs(['lola', 'leif'])
    await choose(ada, 'Period', 'Last 7 days')
    await sums(ada, '10h 1m in 2 entries')
    await choose(ada, 'Rows per page', '5')
    await logs(ada).getByLabel('From').fill('2999-01-01')
    await logs(ada).getByText('No time entries match the filters').waitFor()
    const release = await heldBack(ada, 'time.report')
    await button(ada, 'Clear filters').press('Enter')
    await button(ada, 'Clear filters').waitFor({ state: 'detached' })
    expect(await ada.getByText('Open a task to add time').count()).toBe(0)
    await hasFocus(logs(ada).getByRole('combobox', { name: 'Period' }))
    await release()
    await sums(ada, '11h 18m in 13 entries')
    await hasFocus(logs(ada).getByRole('combobox', { name: 'Period' }))
  })

  test('call people by the name that they have now', async () => {
    const { ada, bob } = await openFullLogs(['lene', 'lasse'])
    await rows(ada).filter({ hasText: 'Lasse' }).waitFor()
    await bob.request.patch('/api/users/profile', { data: { name: 'Laurits' } })
    await rows(ada).filter({ hasText: 'Laurits' }).waitFor()
  })

  test('lose the button of an entry with the last one of it, and not the focus', async () => {
    const { ada, bob, log } = await openTask(site, ['mona', 'milo'])
    for (const page of [ada, bob]) {
      await closeTask(page)
      await log(page, {})
    }
    for (const page of [bob, ada]) {
      await openLogs(page, page === bob ? '2h 0m in 2 entries' : '1h 0m in 1 entry')
      await rows(page).getByRole('button', { name: 'Delete time entry' }).press('Enter')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
      await toast(page, 'Time entry deleted')
    }
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === 'Open a task to add time')
    expect(await ada.evaluate(() => document.activeElement && getComputedStyle(document.activeElement).outlineStyle)).toBe(
      'solid',
    )
  })
})

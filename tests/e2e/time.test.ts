import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { timeEntries } from '../../src/db/schema'
import { findsNothing } from '../support/axe'
import { inChromium, type Site, sharedBoard } from '../support/chromium'
import { openInMemory } from '../support/databases'
import { card, dialog, press, toast } from '../support/page'

const strip = (page: Page) => page.getByRole('list', { name: 'Time entries' })
const row = (page: Page, text: string) => strip(page).getByRole('listitem').filter({ hasText: text })
const total = (page: Page) => page.getByRole('region', { name: 'Time tracking' }).getByText('Total:').locator('..')
/** The small timer, in whichever place it is shown. */
const timer = (page: Page) => page.getByRole('region', { name: 'Timer', exact: true })

/** A moment's day as the input for days wants it, where Hana is. */
const DAY_THERE = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/St_Johns' })

const question = (page: Page) => page.getByRole('alert').filter({ hasText: 'Still working?' })

async function fill(page: Page, { hours, minutes, note }: { hours?: string; minutes?: string; note?: string }) {
  if (hours !== undefined) await page.getByRole('spinbutton', { name: 'Hours' }).fill(hours)
  if (minutes !== undefined) await page.getByRole('spinbutton', { name: 'Minutes' }).fill(minutes)
  if (note !== undefined) await page.getByRole('textbox', { name: 'Notes' }).fill(note)
}

inChromium('time', (site) => {
  /** Ada and Bob on a board, both with its first task open. */
  async function openTask(names: [string, string], options: Parameters<Site['open']>[1] = {}) {
    const [ada, bob] = await Promise.all([site.open('ada', options), site.open('bob')])
    const boardId = await sharedBoard(ada, bob, names, ['One', 'Two'])
    const idOf = async (title: string) => Number(await card(ada, title).getAttribute('data-task'))
    const taskId = await idOf('One')
    const secondId = await idOf('Two')
    for (const page of [ada, bob]) {
      await card(page, 'One').click()
      await page.getByRole('button', { name: 'Add Time Entry' }).waitFor()
    }
    /** Logs time behind the page. */
    const log = async (page: Page, given: object) => {
      const answer = await page.request.post('/api/time-entries', { data: { taskId, duration: 60, ...given } })
      expect(answer.status()).toBe(201)
    }
    return { ada, bob, boardId, taskId, secondId, log }
  }

  test('is added, edited and deleted before the eyes of the others, and where that is refused nothing typed is lost', async () => {
    const { ada, bob, log } = await openTask(['cara', 'cobi'])
    await press(ada, 'Add Time Entry')
    expect([
      await ada.getByRole('spinbutton', { name: 'Hours' }).inputValue(),
      await ada.getByRole('spinbutton', { name: 'Minutes' }).inputValue(),
    ]).toEqual(['1', '0'])
    expect(await ada.getByLabel('Notify board members about this update').isChecked()).toBe(true)
    await fill(ada, { hours: '', minutes: '' })
    await dialog(ada, 'Add Time Entry').getByRole('button', { name: 'Add Time Entry' }).click()
    await toast(ada, 'Invalid duration', 'Please enter a valid duration (greater than 0)')
    await fill(ada, { hours: '800' })
    await dialog(ada, 'Add Time Entry').getByRole('button', { name: 'Add Time Entry' }).click()
    await toast(ada, 'Invalid duration', 'A time entry has at most 744 hours')
    await fill(ada, { hours: '1', minutes: '30', note: 'By the window' })
    await ada.getByLabel('Day').fill('2026-03-29')
    await dialog(ada, 'Add Time Entry').getByRole('button', { name: 'Add Time Entry' }).click()
    await toast(ada, 'Time entry added', 'Added 90 minutes to "One"')
    await dialog(ada, 'Add Time Entry').waitFor({ state: 'detached' })
    for (const page of [ada, bob]) {
      await row(page, 'By the window').getByText('1h 30m').waitFor()
      await row(page, 'By the window').getByText('Mar 29, 2026').waitFor()
      expect(await total(page).textContent()).toBe('Total: 1h 30m')
    }

    // By keyboard: to Playwright's pointer, what says that it is disabled is so.
    const notOwn = row(bob, 'By the window').getByRole('button', { name: 'Cannot edit time entry' })
    await notOwn.focus()
    await bob.getByRole('tooltip', { name: 'You can only edit your own time entries' }).waitFor()
    await notOwn.press('Enter')
    await toast(bob, 'Cannot edit time entry', 'You can only edit your own time entries')

    await row(ada, 'By the window').getByRole('button', { name: 'Edit time entry' }).click()
    await fill(ada, { minutes: '45', note: 'In the garden' })
    await press(ada, 'Save Changes')
    await toast(ada, 'Time entry updated', 'The time entry has been updated successfully')
    await row(bob, 'In the garden').getByText('1h 45m').waitFor()
    await row(bob, 'In the garden').getByText('Mar 29, 2026').waitFor()

    // What is refused is undone, and what was typed is there still.
    for (const name of ['create', 'update', 'delete'])
      await ada.route(`**/trpc/time.${name}*`, (route) => route.fulfill({ status: 503, body: 'away' }))
    await press(ada, 'Add Time Entry')
    await fill(ada, { hours: '3', minutes: '20', note: 'Not yet' })
    await dialog(ada, 'Add Time Entry').getByRole('button', { name: 'Add Time Entry' }).click()
    await toast(ada, 'Error', 'Failed to add time entry.')
    expect([
      await ada.getByRole('spinbutton', { name: 'Hours' }).inputValue(),
      await ada.getByRole('textbox', { name: 'Notes' }).inputValue(),
    ]).toEqual(['3', 'Not yet'])
    // Closed by mistake, it is there again too.
    await ada.keyboard.press('Escape')
    expect(await strip(ada).getByRole('listitem').count()).toBe(1)
    await press(ada, 'Add Time Entry')
    expect([
      await ada.getByRole('spinbutton', { name: 'Minutes' }).inputValue(),
      await ada.getByRole('textbox', { name: 'Notes' }).inputValue(),
    ]).toEqual(['20', 'Not yet'])
    await press(ada, 'Cancel')

    await row(ada, 'In the garden').getByRole('button').click()
    await fill(ada, { hours: '2', note: 'Changed' })
    await press(ada, 'Save Changes')
    await toast(ada, 'Failed to update time entry', 'An unexpected error occurred')
    expect(await ada.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('Changed')
    await press(ada, 'Cancel')
    await row(ada, 'In the garden').getByText('1h 45m').waitFor()

    await row(ada, 'In the garden').getByRole('button').click()
    await press(ada, 'Delete')
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await toast(ada, 'Failed to delete time entry')
    await row(ada, 'In the garden').waitFor()
    await press(ada, 'Start timer')
    await toast(ada, 'Error', 'Failed to add time entry.')
    expect(await timer(ada).count()).toBe(0)
    await ada.unrouteAll()

    for (const day of ['01', '02', '03']) await log(bob, { startTime: `2026-04-${day}T12:00:00Z`, note: `April ${day}` })
    await ada.getByText('1 of 2').waitFor()
    expect(await strip(ada).getByRole('listitem').count()).toBe(3)
    await press(ada, 'Earlier time entries')
    await row(ada, 'In the garden').getByRole('button', { name: 'Edit time entry' }).click()
    await press(ada, 'Delete')
    await ada.getByText('This will permanently delete this time entry. This action cannot be undone.').waitFor()
    await ada.getByRole('alertdialog', { name: 'Are you sure?' }).getByRole('button', { name: 'Delete' }).click()
    await toast(ada, 'Time entry deleted')
    await ada.waitForFunction(() => document.activeElement?.textContent === 'Time tracking')
    for (const page of [ada, bob]) {
      await row(page, 'April 01').waitFor()
      await page.getByText('1 of 2').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Close' }).last().click()
      await card(page, 'One').getByText('3h 0m').waitFor()
    }
  })

  test('of a timer is counted by the server, the same in every tab, and asked about when it is forgotten', async () => {
    const { ada, bob, boardId, taskId, secondId } = await openTask(['fara', 'fobi'])
    const other = await ada.context().newPage()
    await other.goto('/')
    await press(ada, 'Start timer')
    await timer(other).getByRole('link', { name: 'One' }).waitFor()
    await row(bob, 'Active: 0:').waitFor()
    expect(await row(bob, 'Active: 0:').getByRole('button').count()).toBe(0)
    await moveBack(taskId, 65 * 60_000)
    for (const page of [ada, other]) await page.reload()
    await row(ada, 'Active: 1:05:').waitFor()
    await timer(other).getByText('1:05:').waitFor()
    expect(await ada.title()).toBe('Spring catalogue · wrk')

    await timer(other).getByRole('button', { name: 'Pause' }).click()
    await row(ada, 'Paused: 1:05:').waitFor()
    await row(bob, 'Paused: 1:05:').waitFor()
    expect(await total(bob).textContent()).toBe('Total: 1h 5m')
    await press(ada, 'Resume')
    await row(bob, 'Active: 1:05:').waitFor()

    // Another one pauses it, wherever that is.
    await ada.getByRole('button', { name: 'Close' }).last().click()
    await card(ada, 'Two').click()
    await press(ada, 'Start timer')
    await row(bob, 'Paused: 1:05:').waitFor()
    await timer(other).getByRole('link', { name: 'Two' }).waitFor()
    await timer(other).getByRole('button', { name: '1 more paused' }).click()
    const paused = other.getByRole('dialog', { name: 'Paused timers' })
    await paused.getByRole('link', { name: 'One' }).click()
    await other.waitForURL(`**/board/${boardId}#task-${taskId}`)
    await strip(other).waitFor()

    await press(other, 'Stop')
    expect([
      await other.getByRole('spinbutton', { name: 'Hours' }).inputValue(),
      await other.getByRole('spinbutton', { name: 'Minutes' }).inputValue(),
    ]).toEqual(['1', '5'])
    await fill(other, { minutes: '0', note: 'Trimmed a little' })
    await other.route('**/trpc/time.update*', (route) => route.fulfill({ status: 503, body: 'away' }))
    await press(other, 'Stop timer')
    await toast(other, 'Failed to update time entry', 'An unexpected error occurred')
    await other.unrouteAll()
    await press(other, 'Stop timer')
    await toast(other, 'Time entry added', 'Added 60 minutes to "One"')
    await row(bob, 'Trimmed a little').getByText('1h 0m').waitFor()
    await ada.getByRole('button', { name: 'Close' }).last().click()
    await timer(ada).getByRole('link', { name: 'Two' }).waitFor()
    await timer(ada).getByRole('button', { name: '1 more paused' }).waitFor({ state: 'detached' })

    // Forgotten, it is asked about, and never logged unasked.
    await bob.getByRole('button', { name: 'Close' }).last().click()
    await card(bob, 'Two').click()
    await row(bob, 'Active: 0:').waitFor()
    await moveBack(secondId, 9 * 3_600_000)
    await Promise.all([ada.reload(), other.goto('/')])
    for (const page of [ada, other]) await question(page).waitFor()
    await press(other, 'Yes, still working')
    await question(ada).waitFor({ state: 'detached' })
    await timer(ada).getByText('9:00:').waitFor()

    // The page asks by itself, without being read again.
    await ada.clock.install()
    await ada.clock.fastForward(8 * 3_600_000)
    await question(ada).waitFor()
    await moveBack(secondId, 8 * 3_600_000)
    await ada.reload()
    await timer(other).getByRole('button', { name: 'Stop' }).click()
    await fill(other, { note: 'Half a thought' })
    await press(ada, 'Stop and trim')
    await ada.getByText('This timer ran for 17h 0m. Say how much of it was work.').waitFor()
    expect([
      await ada.getByRole('spinbutton', { name: 'Hours' }).inputValue(),
      await ada.getByRole('spinbutton', { name: 'Minutes' }).inputValue(),
    ]).toEqual(['', ''])
    await press(ada, 'Stop timer')
    await toast(ada, 'Invalid duration', 'Please enter a valid duration (greater than 0)')
    await fill(ada, { hours: '2', note: 'Fell asleep' })
    await press(ada, 'Stop timer')
    await toast(ada, 'Time entry added', 'Added 120 minutes to "Two"')
    await row(bob, 'Fell asleep').getByText('2h 0m').waitFor()
    await ada.waitForFunction(() => document.activeElement?.textContent === 'No timer')
    await timer(other).waitFor({ state: 'detached' })
    await toast(other, 'Timer stopped elsewhere', 'The note that you were writing is not lost.')
    await other.getByRole('button', { name: 'Copy my text' }).waitFor()
  })

  test('of a board is filtered, paged, edited and exported in its Time Logs', async () => {
    const options = { timezoneId: 'America/St_Johns', acceptDownloads: true }
    const { ada, bob, boardId, secondId, log } = await openTask(['hana', 'hugo'], options)
    for (const page of [ada, bob]) await page.getByRole('button', { name: 'Close' }).last().click()
    await press(ada, 'Time Logs')
    await ada.getByText('Open a task to add time').waitFor()
    await ada.getByRole('combobox', { name: 'Task' }).selectOption('Two')
    await press(ada, 'Open task')
    await ada.waitForURL(`**/board/${boardId}#task-${secondId}`)
    await dialog(ada, 'Two').getByRole('button', { name: 'Close' }).last().click()

    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const timeZone = 'America/St_Johns'
    for (let n = 1; n <= 12; n++) await log(ada, { startTime: ago(n * 4), timeZone, note: `No. ${n};`, duration: n })
    await log(bob, { taskId: secondId, startTime: ago(0), timeZone, note: '=1+1, "quoted"', duration: 600 })
    await ada.evaluate(() => window.dispatchEvent(new Event('open-time-logs')))
    await toast(ada, 'Time Logs Opened')
    const logs = dialog(ada, 'Time Logs')
    const rows = logs.getByRole('table', { name: 'Time entries' }).locator('tbody tr')
    const sums = (text: string) => logs.getByRole('status').filter({ hasText: text }).waitFor()
    await sums('11h 18m in 13 entries')
    expect(await rows.count()).toBe(10)
    const table = logs.getByRole('table', { name: 'Time entries' })
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      ...['Task', 'User', 'Date', 'Duration', 'Notes', 'Actions'],
    ])
    expect(await rows.first().getByRole('button').count()).toBe(0)
    expect(await rows.first().getByRole('cell').last().textContent()).toStartWith('–')

    await press(ada, 'Page 2')
    await rows.filter({ hasText: 'No. 12;' }).waitFor()
    expect(await rows.count()).toBe(3)
    // Of others' changes one hears there too.
    await log(bob, { startTime: ago(400), timeZone, note: 'Long ago', duration: 2 })
    await rows.filter({ hasText: 'Long ago' }).waitFor()
    await logs.getByRole('combobox', { name: 'Period' }).selectOption('Last 7 days')
    await sums('10h 1m in 2 entries')
    await logs.getByRole('combobox', { name: 'Period' }).selectOption('All time')
    await logs.getByRole('combobox', { name: 'Rows per page' }).selectOption('5')
    await press(ada, 'Page 3')
    await logs.getByRole('button', { name: 'Users: All users' }).click()
    await ada.getByRole('checkbox', { name: 'Hana' }).check()
    await ada.keyboard.press('Escape')
    await sums('1h 18m in 12 entries')
    await logs.getByRole('button', { name: 'Page 1' }).and(logs.locator('[aria-current]')).waitFor()
    await logs.getByLabel('From').fill(DAY_THERE.format(new Date(ago(20))))
    expect(await logs.getByRole('combobox', { name: 'Period' }).inputValue()).toBe('custom')
    await sums('in 5 entries')

    await rows.filter({ hasText: 'No. 1;' }).getByRole('button', { name: 'Edit time entry' }).click()
    await fill(ada, { hours: '1', note: 'No. 1, longer' })
    await press(ada, 'Save Changes')
    await toast(ada, 'Time entry updated')
    await sums('1h 15m in 5 entries')
    await rows.filter({ hasText: 'No. 2;' }).getByRole('button', { name: 'Delete time entry' }).click()
    await ada.getByRole('alertdialog', { name: 'Are you sure?' }).getByRole('button', { name: 'Delete' }).click()
    await toast(ada, 'Time entry deleted')
    await sums('1h 13m in 4 entries')
    await ada.waitForFunction(() => document.activeElement?.textContent === '1h 13m in 4 entries')

    const [download] = await Promise.all([ada.waitForEvent('download'), press(ada, 'Download CSV')])
    await toast(ada, 'Download Started')
    expect(download.suggestedFilename()).toContain('Spring catalogue')
    expect(download.suggestedFilename()).toContain('filtered')
    const text = await Bun.file(await download.path()).text()
    expect(text.split('\r\n').filter(Boolean).length).toBe(5)
    expect(text).toContain('Task,User,Date,Duration (minutes),Duration (formatted),Notes')
    expect(text).toContain('61,1h 1m,"No. 1, longer"')

    await logs.getByRole('button', { name: 'Tasks: All tasks' }).click()
    await ada.getByRole('checkbox', { name: 'Two' }).check()
    await ada.keyboard.press('Escape')
    await logs.getByText('No time entries match the filters').waitFor()
    await press(ada, 'Download CSV')
    await toast(ada, 'No entries to export', 'There are no time entries matching your current filters.')
    await press(ada, 'Clear filters')
    await sums('in 13 entries')
  })

  test('has dialogs in which axe finds nothing, in dark', async () => {
    const { ada, bob, taskId, log } = await openTask(['ines', 'ivar'], { colorScheme: 'dark' })
    const at = (where: string) => findsNothing(ada, where)
    await at('a task without time')
    for (const [person, note] of [
      [bob, 'Theirs'],
      [ada, 'Mine'],
    ] as const)
      await log(person, { note })
    await press(ada, 'Start timer')
    await row(ada, 'Active: 0:').waitFor()
    await at('a task with time')
    await press(ada, 'Add Time Entry')
    await fill(ada, { hours: '', minutes: '75' })
    await dialog(ada, 'Add Time Entry').getByRole('button', { name: 'Add Time Entry' }).click()
    await ada.getByText('At most 59').waitFor()
    await at('a new entry')
    await press(ada, 'Cancel')
    await press(ada, 'Stop')
    await at('a timer that stops')
    await press(ada, 'Keep timer')
    await row(ada, 'Mine').getByRole('button', { name: 'Edit time entry' }).click()
    await dialog(ada, 'Edit Time Entry').waitFor()
    await at('an entry')
    await press(ada, 'Delete')
    await at('the question before a deletion')
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await press(ada, 'Cancel')
    await ada.getByRole('button', { name: 'Close' }).last().click()
    await moveBack(taskId, 9 * 3_600_000)
    await ada.reload()
    await question(ada).waitFor()
    await at('a forgotten timer')
    await press(ada, 'Time Logs')
    await dialog(ada, 'Time Logs').getByRole('table', { name: 'Time entries' }).waitFor()
    await at('the Time Logs')
    await ada.setViewportSize({ width: 390, height: 844 })
    await at('the Time Logs on a phone')
    await ada.getByRole('button', { name: 'Users: All users' }).click()
    await ada.getByRole('checkbox').first().waitFor()
    await at('the choice of people')
  })
})

/** Makes the timers of a task run for longer than they did. */
async function moveBack(taskId: number, by: number) {
  const { db } = await openInMemory()
  const rows = await db.select().from(timeEntries).where(eq(timeEntries.taskId, taskId))
  for (const { id, runningSince } of rows)
    if (runningSince)
      await db
        .update(timeEntries)
        .set({ runningSince: new Date(runningSince.getTime() - by) })
        .where(eq(timeEntries.id, id))
}

import { expect, test } from 'bun:test'
import { findsNothing } from '../support/axe'
import { inChromium } from '../support/chromium'
import { button, card, dialog, hasFocus, leave, press, toast } from '../support/page'
import {
  closeTask,
  confirmDeletion,
  entries,
  entry,
  fill,
  logger,
  logs,
  moveBack,
  openTask,
  refuseTime,
  rows,
  timer,
  total,
  typed,
} from './timePages'

inChromium('time', (site) => {
  test('is added with a duration that is one, which the others see at once', async () => {
    const { ada, bob } = await openTask(site, ['cara', 'cobi'])
    const form = dialog(ada, 'Add Time Entry')
    const add = () => form.getByRole('button', { name: 'Add Time Entry' }).click()
    await press(ada, 'Add Time Entry')
    expect(await typed(ada)).toEqual(['1', '0'])
    expect(await ada.getByLabel('Notify board members about this update').isChecked()).toBe(true)
    await fill(ada, { hours: '', minutes: '' })
    await add()
    await toast(ada, 'Invalid duration', 'Please enter a valid duration (greater than 0)')
    await fill(ada, { hours: '800' })
    await add()
    await toast(ada, 'Invalid duration', 'A time entry can be at most 744 hours')
    await fill(ada, { hours: '0', minutes: '90' })
    await add()
    await toast(ada, 'Invalid duration', 'Enter at most 59 minutes; put the rest under Hours')
    await fill(ada, { hours: '1', minutes: '30', note: 'By the window' })
    await ada.getByRole('spinbutton', { name: 'Hours' }).click()
    await ada.mouse.wheel(0, 100)
    await ada.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await typed(ada)).toEqual(['1', '30'])
    await ada.getByLabel('Day').fill('2026-03-29')
    await add()
    await toast(ada, 'Time entry added', 'Added 90 minutes to "One"')
    await form.waitFor({ state: 'detached' })
    for (const page of [ada, bob]) {
      await entry(page, 'By the window').getByText('1h 30m').waitFor()
      await entry(page, 'By the window').getByText('Mar 29, 2026').waitFor()
      expect(await total(page).textContent()).toBe('Total: 1h 30m')
    }
  })

  test('is edited by whoever logged it, before the eyes of the others, who are told that they cannot', async () => {
    const { ada, bob, log } = await openTask(site, ['dora', 'dirk'])
    await log(ada, { duration: 90, note: 'By the window', startTime: '2026-03-29T12:00:00Z' })
    // By keyboard: to Playwright's pointer, what says that it is disabled is so.
    const notOwn = entry(bob, 'By the window').getByRole('button', { name: 'Cannot edit time entry' })
    await bob.keyboard.press('Tab')
    await notOwn.focus()
    const reason = bob.getByRole('tooltip', { name: 'You can only edit your own time entries' })
    await reason.waitFor()
    // Neither closes the dialog that it is in.
    await leave(reason)
    await notOwn.hover()
    await reason.click()
    await reason.waitFor({ state: 'detached' })
    await notOwn.press('Enter')
    await toast(bob, 'Cannot edit time entry', 'You can only edit your own time entries')
    await entry(ada, 'By the window').getByRole('button', { name: 'Edit time entry' }).click()
    await fill(ada, { minutes: '45', note: 'In the garden' })
    await press(ada, 'Save Changes')
    await toast(ada, 'Time entry updated', 'The time entry has been updated successfully')
    await entry(bob, 'In the garden').getByText('1h 45m').waitFor()
    await entry(bob, 'In the garden').getByText('Mar 29, 2026').waitFor()
  })

  test('of another time zone is moved to the day that is chosen, and back', async () => {
    const { ada, log } = await openTask(site, ['edda', 'egon'], { timezoneId: 'Europe/London' }, { alone: true })
    await log(ada, { startTime: '2026-01-01T20:00:00Z', timeZone: 'Asia/Tokyo' })
    await entry(ada, 'Jan 2, 2026').getByRole('button', { name: 'Edit time entry' }).click()
    await ada.getByRole('textbox', { name: 'Day' }).fill('2026-01-01')
    await press(ada, 'Save Changes')
    await toast(ada, 'Time entry updated')
    await entry(ada, 'Jan 1, 2026').waitFor()
    await press(ada, 'Undo')
    await entry(ada, 'Jan 2, 2026').waitFor()
  })

  test('that cannot be added is in its form still, also after that was closed by mistake', async () => {
    const { ada } = await openTask(site, ['elsa', 'emil'], {}, { alone: true })
    await refuseTime(ada, 'create')
    await press(ada, 'Add Time Entry')
    await fill(ada, { hours: '3', minutes: '20', note: 'Not yet' })
    await dialog(ada, 'Add Time Entry').getByRole('button', { name: 'Add Time Entry' }).click()
    await toast(ada, 'Error', 'Failed to add time entry.')
    const note = ada.getByRole('textbox', { name: 'Notes' })
    expect([await typed(ada), await note.inputValue()]).toEqual([['3', '20'], 'Not yet'])
    await ada.keyboard.press('Escape')
    expect(await entries(ada).count()).toBe(0)
    await press(ada, 'Add Time Entry')
    expect([await typed(ada), await note.inputValue()]).toEqual([['3', '20'], 'Not yet'])
    await press(ada, 'Cancel')
    await press(ada, 'Start timer')
    await toast(ada, 'Error', 'Failed to add time entry.')
    expect(await timer(ada).count()).toBe(0)
  })

  test('that cannot be changed or deleted is as it was', async () => {
    const { ada, log } = await openTask(site, ['gesa', 'gero'], {}, { alone: true })
    await log(ada, { duration: 105, note: 'In the garden' })
    await refuseTime(ada, 'update', 'delete')
    await entry(ada, 'In the garden').getByRole('button').click()
    await fill(ada, { hours: '2', note: 'Changed' })
    await press(ada, 'Save Changes')
    await toast(ada, 'Failed to update time entry', 'An unexpected error occurred')
    expect(await ada.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('Changed')
    await press(ada, 'Cancel')
    await entry(ada, 'In the garden').getByText('1h 45m').waitFor()
    await entry(ada, 'In the garden').getByRole('button').click()
    await press(ada, 'Delete')
    await confirmDeletion(ada)
    await toast(ada, 'Failed to delete time entry')
    await entry(ada, 'In the garden').waitFor()
  })

  test('is shown three entries at a time, and deleted before the eyes of the others, once one is sure', async () => {
    const { ada, bob, log, secondId } = await openTask(site, ['jane', 'jens'])
    await log(ada, { duration: 105, note: 'In the garden', startTime: '2026-03-29T12:00:00Z' })
    for (const day of ['01', '02', '03']) await log(bob, { startTime: `2026-04-${day}T12:00:00Z`, note: `April ${day}` })
    await ada.getByText('1 of 2').waitFor()
    expect(await entries(ada).count()).toBe(3)
    // All of the task's, not of the board's.
    await logger(secondId)(ada, { duration: 5, note: 'Elsewhere' })
    await press(ada, 'All time entries')
    await toast(ada, 'Time Logs Opened')
    await rows(ada).filter({ hasText: 'In the garden' }).waitFor()
    expect(await rows(ada).count()).toBe(4)
    await leave(logs(ada))
    await button(ada, 'Earlier time entries').press('Enter')
    await entry(ada, 'In the garden').waitFor()
    await ada.keyboard.press('Enter')
    await hasFocus(button(ada, 'Earlier time entries'))
    await entry(ada, 'In the garden').getByRole('button', { name: 'Edit time entry' }).click()
    await press(ada, 'Delete')
    await ada.getByText('This will permanently delete this time entry. This action cannot be undone.').waitFor()
    await confirmDeletion(ada)
    await toast(ada, 'Time entry deleted')
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === 'Time tracking')
    for (const page of [ada, bob]) {
      await entry(page, 'April 01').waitFor()
      await page.getByText('1 of 2').waitFor({ state: 'detached' })
      await closeTask(page)
      await card(page, 'One').getByText('3h 0m').waitFor()
    }
  })

  test('has dialogs in which axe finds nothing, in dark', async () => {
    const { ada, bob, taskId, log } = await openTask(site, ['ines', 'ivar'], { colorScheme: 'dark' })
    const at = (where: string) => findsNothing(ada, where)
    await at('a task without time')
    for (const [person, note] of [
      [bob, 'Theirs'],
      [ada, 'Mine'],
    ] as const)
      await log(person, { note })
    await press(ada, 'Start timer')
    await entry(ada, 'Active: 0:').waitFor()
    await at('a task with time')
    await press(ada, 'Add Time Entry')
    await fill(ada, { hours: '', minutes: '75' })
    await dialog(ada, 'Add Time Entry').getByRole('button', { name: 'Add Time Entry' }).click()
    await ada.getByText('At most 59', { exact: true }).waitFor()
    await at('a new entry')
    await press(ada, 'Cancel')
    await press(ada, 'Stop')
    await button(ada, 'Add note').waitFor()
    await at('a timer that was stopped')
    await press(ada, 'Undo')
    await entry(ada, 'Active: 0:').waitFor()
    await entry(ada, 'Mine').getByRole('button', { name: 'Edit time entry' }).click()
    await dialog(ada, 'Edit Time Entry').waitFor()
    await at('an entry')
    await press(ada, 'Delete')
    await ada.getByRole('alertdialog').waitFor()
    await at('the question before a deletion')
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await press(ada, 'Cancel')
    await closeTask(ada)
    await moveBack(taskId, 9 * 3_600_000)
    await ada.reload()
    await ada.getByRole('alert').filter({ hasText: 'Still working?' }).waitFor()
    await at('a forgotten timer')
    await press(ada, 'Stop and adjust')
    await button(ada, 'Stop timer').waitFor()
    await at('a forgotten timer that stops')
    await press(ada, 'Keep running')
    await press(ada, 'Time Logs')
    await logs(ada).getByRole('table', { name: 'Time entries' }).waitFor()
    await at('the Time Logs')
    await ada.setViewportSize({ width: 390, height: 844 })
    await at('the Time Logs on a phone')
    await logs(ada).getByRole('button', { name: 'Filters' }).click()
    await ada.getByRole('button', { name: 'Users: All users' }).click()
    await ada.getByRole('checkbox').first().waitFor()
    await at('the choice of people')
  })
})

import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { card, isTitled, press, toast } from '../support/page'
import { closeTask, entry, fill, moveBack, openTask, refuseTime, timer, total, typed } from './timePages'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const question = (page: Page) => page.getByRole('alert').filter({ hasText: 'Still working?' })

inChromium('a timer', (site) => {
  /** As `openTask`, with another tab of Ada's, on the dashboard. */
  async function openTaskAndTab(names: [string, string]) {
    const opened = await openTask(site, names)
    const other = await opened.ada.context().newPage()
    await other.goto('/')
    return { ...opened, other }
  }
  const started = (page: Page, taskId: number) => page.request.post('/api/time-entries', { data: { taskId, status: 'ACTIVE' } })

  test('is counted by the server, the same in every tab and for the others, who cannot touch it', async () => {
    const { ada, bob, other, taskId } = await openTaskAndTab(['fara', 'fobi'])
    await press(ada, 'Start timer')
    await timer(other).getByRole('link', { name: 'One' }).waitFor()
    await entry(bob, 'Active: 0:').waitFor()
    expect(await entry(bob, 'Active: 0:').getByRole('button').count()).toBe(0)
    await moveBack(taskId, 65 * MINUTE)
    for (const page of [ada, other]) await page.reload()
    await entry(ada, 'Active: 1:05:').waitFor()
    await timer(other).getByText('1:05:').waitFor()
    await isTitled(ada, '1:05 · Spring catalogue')
    await timer(other).getByRole('button', { name: 'Pause' }).click()
    await entry(ada, 'Paused: 1:05:').waitFor()
    await isTitled(ada, 'Spring catalogue')
    await entry(bob, 'Paused: 1:05:').waitFor()
    expect(await total(bob).textContent()).toBe('Total: 1h 5m')
    await press(ada, 'Resume')
    await entry(bob, 'Active: 1:05:').waitFor()
  })

  test('is paused by another one, wherever that is started, and led to from there', async () => {
    const { ada, bob, other, boardId, taskId } = await openTaskAndTab(['gina', 'gobi'])
    await started(ada, taskId)
    await moveBack(taskId, 65 * MINUTE)
    await closeTask(ada)
    await card(ada, 'Two').click()
    await press(ada, 'Start timer')
    await entry(bob, 'Paused: 1:05:').waitFor()
    await timer(other).getByRole('link', { name: 'Two' }).waitFor()
    await timer(other).getByRole('button', { name: '1 more paused' }).click()
    const paused = other.getByRole('dialog', { name: 'Paused timers' })
    await paused.getByRole('link', { name: 'One' }).click()
    await other.waitForURL(`**/board/${boardId}#task-${taskId}`)
    await entry(other, 'Paused: 1:05:').waitFor()
  })

  test('is stopped with the time that was work, though the first try fails; the one that runs goes on', async () => {
    const { ada, bob, taskId, secondId } = await openTask(site, ['hera', 'hobi'])
    await started(ada, taskId)
    await moveBack(taskId, 65 * MINUTE)
    await started(ada, secondId)
    await entry(ada, 'Paused: 1:05:').waitFor()
    await press(ada, 'Stop')
    expect(await typed(ada)).toEqual(['1', '5'])
    await fill(ada, { minutes: '0', note: 'Trimmed a little' })
    await refuseTime(ada, 'update')
    await press(ada, 'Stop timer')
    await toast(ada, 'Failed to update time entry', 'An unexpected error occurred')
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await press(ada, 'Stop timer')
    await toast(ada, 'Time entry added', 'Added 60 minutes to "One"')
    await entry(bob, 'Trimmed a little').getByText('1h 0m').waitFor()
    await closeTask(ada)
    await timer(ada).getByRole('link', { name: 'Two' }).waitFor()
    await timer(ada).getByRole('button', { name: '1 more paused' }).waitFor({ state: 'detached' })
  })

  test('that was forgotten is asked about in every tab, and answered in one; a page asks by itself, too', async () => {
    const { ada, other, taskId } = await openTaskAndTab(['ilka', 'iobi'])
    await started(ada, taskId)
    await moveBack(taskId, 9 * HOUR)
    await closeTask(ada)
    await Promise.all([ada.reload(), other.goto('/')])
    for (const page of [ada, other]) await question(page).waitFor()
    await press(other, 'Yes, still working')
    await question(ada).waitFor({ state: 'detached' })
    await timer(ada).getByText('9:00:').waitFor()
    await ada.clock.install()
    await ada.clock.fastForward(8 * HOUR)
    await question(ada).waitFor()
  })

  test('that was forgotten is never logged unasked; what another tab wrote about it is not lost', async () => {
    const { ada, bob, other, secondId } = await openTaskAndTab(['jara', 'jobi'])
    await closeTask(bob)
    await card(bob, 'Two').click()
    await started(ada, secondId)
    await entry(bob, 'Active: 0:').waitFor()
    await moveBack(secondId, 17 * HOUR)
    await closeTask(ada)
    await ada.reload()
    await timer(other).getByRole('button', { name: 'Stop' }).click()
    await fill(other, { note: 'Half a thought' })
    await press(ada, 'Stop and trim')
    await ada.getByText('This timer ran for 17h 0m. How long did you work?').waitFor()
    expect(await typed(ada)).toEqual(['', ''])
    await press(ada, 'Stop timer')
    await toast(ada, 'Invalid duration', 'Please enter a valid duration (greater than 0)')
    await fill(ada, { hours: '2', note: 'Fell asleep' })
    await press(ada, 'Stop timer')
    await toast(ada, 'Time entry added', 'Added 120 minutes to "Two"')
    await entry(bob, 'Fell asleep').getByText('2h 0m').waitFor()
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === 'No timer')
    await timer(other).waitFor({ state: 'detached' })
    await toast(other, 'Timer stopped elsewhere', 'The note you were writing is not lost.')
    await other.getByRole('button', { name: 'Copy my text' }).waitFor()
  })
})

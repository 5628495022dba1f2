import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { addDays, dayAt, mondayOf, shortDay } from '../../src/days'
import { findsNothing } from '../support/axe'
import { inChromium } from '../support/chromium'
import { card, dialog, enter, keys, leave, press } from '../support/page'
import { logs, openLogs } from './timePages'

const TODAY = dayAt(new Date())
const shown = (day: string) => (day.slice(0, 4) === TODAY.slice(0, 4) ? shortDay(day) : `${shortDay(day)}, ${day.slice(0, 4)}`)
const NOT_A_DAY = 'Not a valid date. Try “tomorrow”, “Fri” or “Nov 25”.'
const holds = (field: Locator, text: string) =>
  expect(field.evaluate((input: HTMLInputElement) => input.value)).resolves.toBe(text)
const calendar = (page: Page) => page.getByRole('dialog', { name: 'Calendar' })

inChromium('a day', (site) => {
  async function openTask(names: [string, string], options = {}) {
    const { ada, boardId } = await site.ownBoard(names, ['One'], options)
    await card(ada, 'One').click()
    const due = ada.getByRole('textbox', { name: 'Due date' })
    await due.waitFor()
    const stored = async () =>
      ((await (await ada.request.get(`/api/boards/${boardId}/tasks`)).json()) as { dueDate: string | null }[])[0]?.dueDate
    return { ada, due, stored }
  }

  test('is typed in words, and what is none stays with a word about it', async () => {
    const { ada, due } = await openTask(['anja', 'arno'])
    await enter(due, 'tomorrow')
    await holds(due, shown(addDays(TODAY, 1)))
    await due.fill('some day')
    await due.press('Tab')
    await ada.getByRole('alert').filter({ hasText: NOT_A_DAY }).waitFor()
    await holds(due, 'some day')
    await findsNothing(ada, 'a text that is no day')
    // The text goes first, then the dialog.
    await due.press('Escape')
    await holds(due, shown(addDays(TODAY, 1)))
    await due.fill('in 2 weeks')
    await due.press('Tab')
    await holds(due, shown(addDays(TODAY, 14)))
    await due.fill('')
    await due.press('Tab')
    await ada.getByRole('button', { name: 'Remove the due date' }).waitFor({ state: 'detached' })
  })

  test('begins on a board that stays open, too: what was due is overdue', async () => {
    const { ada, boardId, taskId } = await site.ownBoard(['dana', 'dirk'], ['One'])
    await ada.request.patch(`/api/tasks/${taskId}`, { data: { dueDate: TODAY } })
    await ada.clock.install()
    await ada.goto(`/board/${boardId}?due=today`)
    await card(ada, 'One').getByText('Due today').waitFor({ state: 'attached' })
    await ada.clock.fastForward(24 * 3_600_000)
    await card(ada, 'One').waitFor({ state: 'detached' })
    await ada.getByRole('combobox', { name: 'Due date' }).selectOption('Overdue')
    await card(ada, 'One').getByText('Overdue').waitFor({ state: 'attached' })
  })

  test('begins in My time that stays open, with its week', async () => {
    const ada = await site.account('dina')
    await ada.clock.install()
    await ada.goto('/time')
    await ada.getByRole('table', { name: 'My time' }).waitFor()
    const shownWeek = ada.locator('p[aria-live=polite]')
    const before = await shownWeek.textContent()
    await ada.clock.fastForward(7 * 24 * 3_600_000)
    await shownWeek.filter({ hasNotText: String(before) }).waitFor()
  })

  test('is picked from a calendar of which all can be seen, however low the window is', async () => {
    const { ada } = await openTask(['cleo', 'cyra'])
    for (const [width, height, name] of [
      [1366, 720, 'Calendar'],
      [1366, 650, 'Choose a day'],
      [1280, 600, 'Choose a day'],
    ] as const) {
      await ada.setViewportSize({ width, height })
      await press(ada, 'Open the calendar')
      await dialog(ada, name).getByRole('gridcell').last().waitFor()
      const days = await dialog(ada, name).getByRole('gridcell').last().boundingBox()
      const panel = await dialog(ada, name).evaluate((panel) => panel.scrollHeight - panel.clientHeight)
      expect([height, panel, (days?.y ?? 0) + (days?.height ?? 0) < height]).toEqual([height, 0, true])
      await leave(dialog(ada, name))
    }
  })

  test('is picked by keyboard or pointer, tomorrow and next Monday at once', async () => {
    const { ada, due, stored } = await openTask(['bine', 'bent'], { colorScheme: 'dark' })
    await due.press('ArrowDown')
    await calendar(ada).getByRole('grid').waitFor()
    await findsNothing(ada, 'the calendar, in dark')
    await calendar(ada).getByRole('button', { name: 'Next Monday' }).click()
    await holds(due, shown(addDays(mondayOf(TODAY), 7)))
    await press(ada, 'Open the calendar')
    await ada.waitForFunction(() => document.activeElement?.closest('[role="grid"]') !== null)
    await keys(ada, 'ArrowDown', 'ArrowRight', 'Enter')
    await holds(due, shown(addDays(mondayOf(TODAY), 15)))
    await ada.waitForFunction(() => document.activeElement?.matches('input'))
    await due.press('ArrowDown')
    await calendar(ada).waitFor()
    await leave(calendar(ada))
    await ada.getByRole('button', { name: 'Close' }).last().click()
    await card(ada, 'One')
      .getByText(shortDay(addDays(mondayOf(TODAY), 15)))
      .waitFor()
    expect(await stored()).toBe(addDays(mondayOf(TODAY), 15))
  })

  test('of work and of reports lies in the past, and a form does not go out with a text that is none', async () => {
    const { ada } = await openTask(['cora', 'carl'])
    await press(ada, 'Add Time Entry')
    const form = dialog(ada, 'Add Time Entry')
    const day = form.getByRole('textbox', { name: 'Day' })
    await holds(day, shown(TODAY))
    await day.fill('whenever')
    await form.getByRole('button', { name: 'Add Time Entry' }).click()
    await form
      .getByRole('alert')
      .filter({ hasText: NOT_A_DAY.replace('tomorrow', 'yesterday') })
      .waitFor()
    await day.fill('yesterday')
    await form.getByRole('button', { name: 'Add Time Entry' }).click()
    await form.waitFor({ state: 'detached' })
    await ada.getByRole('button', { name: 'Close' }).last().click()
    await openLogs(ada, '1h 0m')
    const [from, to] = [logs(ada).getByRole('textbox', { name: 'From' }), logs(ada).getByRole('textbox', { name: 'To' })]
    await enter(from, 'today')
    await logs(ada).getByText('No time').first().waitFor()
    await enter(from, 'yesterday')
    await to.press('ArrowDown')
    await calendar(ada).getByRole('button', { name: 'Yesterday' }).click()
    await holds(to, shown(addDays(TODAY, -1)))
    await logs(ada).getByText('1h 0m').first().waitFor()
  })

  test('is picked from a sheet on touch, where no keyboard comes up', async () => {
    const { ada, due } = await openTask(['dora', 'dino'], {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await due.tap()
    const sheet = dialog(ada, 'Choose a day')
    await sheet.getByRole('button', { name: 'Tomorrow' }).waitFor()
    expect(await ada.locator('input[inputmode=none]').count()).toBeGreaterThan(0)
    await findsNothing(ada, 'the sheet of days')
    await sheet.getByRole('button', { name: 'Tomorrow' }).tap()
    await sheet.waitFor({ state: 'detached' })
    await holds(due, shown(addDays(TODAY, 1)))
  })
})

import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { addDays, dayAt, mondayOf } from '../../src/days'
import { findsNothing } from '../support/axe'
import { inChromium, sharedBoard } from '../support/chromium'
import {
  button,
  card,
  cutOff,
  enter,
  hasFocus,
  isTitled,
  keys,
  leave,
  press,
  reconnect,
  refuseCalls,
  toast,
  type,
} from '../support/page'
import { until } from '../support/until'
import { timer } from './timePages'

const MONDAY = mondayOf(dayAt(new Date()))
/** Of the week before, so that no day of it is today. */
const LAST = addDays(MONDAY, -7)
const sheet = (page: Page) => page.getByRole('table', { name: 'My time' })
const row = (page: Page, task: string) =>
  sheet(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: task }) })
const cell = (page: Page, task: string, weekday: string) => page.getByRole('textbox', { name: `${task}, ${weekday} ` })
const several = (page: Page, task: string, weekday: string) => sheet(page).getByRole('button', { name: `${task}, ${weekday} ` })
const sums = (page: Page) => sheet(page).locator('tfoot td')
/** Waits until the days and the week sum up so. */
const sumsAre = (page: Page, ...wanted: string[]) =>
  page.waitForFunction(
    (wanted) =>
      JSON.stringify([...document.querySelectorAll('tfoot td')].map((sum) => sum.textContent)) === JSON.stringify(wanted),
    wanted,
  )

inChromium('my time', (site) => {
  async function openWeek(names: [string, string], titles = ['One', 'Two']) {
    const ada = await site.open('ada', { locale: 'en-GB' })
    const boardId = await sharedBoard(ada, null, names, titles, [])
    const tasks: { id: number; title: string }[] = await (await ada.request.get(`/api/boards/${boardId}/tasks`)).json()
    const me = await (await ada.request.get('/api/auth/me')).json()
    for (const { id } of tasks) await ada.request.post(`/api/tasks/${id}/assignees`, { data: { userId: me.id } })
    const idOf = (title: string) => tasks.find((task) => task.title === title)?.id
    const log = (title: string, day: number, duration: number) =>
      ada.request.post('/api/time-entries', {
        data: { taskId: idOf(title), duration, startTime: `${addDays(LAST, day)}T12:00:00Z`, note: `Note ${day}` },
      })
    const stored = async (title: string) => {
      const entries: { day: string; duration: number; note: string | null }[] = await (
        await ada.request.get(`/api/time-entries/task/${idOf(title)}`)
      ).json()
      return entries.map(({ day, duration }) => `${day} ${duration}`)
    }
    const notes = async (title: string): Promise<(string | null)[]> => {
      const entries: { note: string | null }[] = await (await ada.request.get(`/api/time-entries/task/${idOf(title)}`)).json()
      return entries.map(({ note }) => note)
    }
    const billable = async (title: string): Promise<{ id: number; billable: boolean }[]> => {
      const entries: { id: number; billable: boolean }[] = await (
        await ada.request.get(`/api/time-entries/task/${idOf(title)}`)
      ).json()
      return entries.map(({ id, billable }) => ({ id, billable }))
    }
    const open = async (page = ada) => {
      await page.goto(`/time?week=${LAST}`)
      await page.getByRole('heading', { name: 'My time' }).waitFor()
      await sheet(page).waitFor()
    }
    return { ada, boardId, log, stored, notes, billable, open }
  }
  const addRow = async (page: Page, text: string) => {
    await page.getByRole('combobox', { name: 'Add a task' }).fill(text)
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-cell]:focus').waitFor()
  }

  test('is there for a browser that does not know its time zone, and so is the dashboard', async () => {
    const { ada, stored, open } = await openWeek(['zora', 'zeno'])
    await ada.addInitScript(() => {
      const timeZone = 'Etc/Unknown'
      if ('Temporal' in globalThis) Object.assign(Temporal.Now, { timeZoneId: () => timeZone })
      const { resolvedOptions } = Intl.DateTimeFormat.prototype
      Intl.DateTimeFormat.prototype.resolvedOptions = function () {
        return { ...resolvedOptions.call(this), timeZone }
      }
    })
    await open()
    await addRow(ada, 'on spring')
    await cell(ada, 'One', 'Mon').fill('1:30')
    await ada.keyboard.press('Enter')
    await until('the time', async () => Bun.deepEquals(await stored('One'), [`${LAST} 90`]))
    await ada.goto('/')
    await ada.getByRole('region', { name: 'My tasks' }).getByText('One').waitFor()
  })

  test('is filled in by keyboard like a sheet, seen at once in another tab, and stored day by day', async () => {
    const { ada, stored, open } = await openWeek(['alba', 'alan'])
    await open()
    const tab = await ada.context().newPage()
    await open(tab)
    await ada.getByText('Nothing logged for this week').waitFor()
    await findsNothing(ada, 'an empty week')
    await addRow(ada, 'on spring')
    await ada.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('One, Mon '))
    await type(ada, '1:30', 'ArrowRight')
    await type(ada, '90m', 'Tab')
    await type(ada, '1h 15m', 'Enter')
    await sumsAre(ada, '1:30', '1:30', '1:15', '–', '–', '–', '–', '4:15')
    await sumsAre(tab, '1:30', '1:30', '1:15', '–', '–', '–', '–', '4:15')
    await row(tab, 'One').getByText('4:15').waitFor()
    expect((await stored('One')).sort()).toEqual([0, 1, 2].map((nth) => `${addDays(LAST, nth)} ${[90, 90, 75][nth]}`))
    // An entry alone in its cell is changed, and put back by Escape while it is typed.
    await cell(tab, 'One', 'Mon').fill('2,5')
    await keys(tab, 'ArrowRight', 'ArrowLeft')
    await cell(tab, 'One', 'Tue').fill('8')
    await tab.keyboard.press('Escape')
    await sumsAre(ada, '2:30', '1:30', '1:15', '–', '–', '–', '–', '5:15')
    expect(await stored('One')).toContain(`${LAST} 150`)
    await findsNothing(ada, 'a week')
    await press(ada, 'Next week')
    await ada.getByText('Nothing logged for this week').waitFor()
    await press(ada, 'Previous week')
    await sumsAre(ada, '2:30', '1:30', '1:15', '–', '–', '–', '–', '5:15')
    // What was typed last in this tab: Wednesday's, which is taken away, then the change in the other tab, which is put back.
    await ada.keyboard.press('Control+z')
    await sumsAre(ada, '2:30', '1:30', '–', '–', '–', '–', '–', '4:00')
    await tab.getByRole('heading', { name: 'My time' }).click()
    await tab.keyboard.press('Control+z')
    await sumsAre(ada, '1:30', '1:30', '–', '–', '–', '–', '–', '3:00')
  })

  test('keeps what is no time, or was refused, as it was typed, with a word about it', async () => {
    const { ada, log, stored, open } = await openWeek(['bela', 'bert'])
    await log('One', 0, 60)
    await open()
    const tuesday = cell(ada, 'One', 'Tue')
    await tuesday.fill('half an hour')
    await tuesday.blur()
    await ada.getByRole('alert').filter({ hasText: 'Try 1:30, 1.5, 1h 30m or 90m.' }).waitFor()
    await findsNothing(ada, 'a text that is no time')
    await ada.reload()
    expect(await tuesday.inputValue()).toBe('half an hour')
    await tuesday.fill('25')
    await tuesday.blur()
    await ada.getByRole('alert').filter({ hasText: 'Enter at most 24 hours.' }).waitFor()
    await refuseCalls(ada, 'time.create')
    await tuesday.fill('0:30')
    await tuesday.blur()
    await toast(ada, 'Error', 'Failed to add time entry.')
    expect(await tuesday.inputValue()).toBe('0:30')
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await tuesday.fill(' 30m')
    await Promise.all([ada.waitForResponse('**/trpc/*time.create*'), tuesday.blur()])
    await sumsAre(ada, '1:00', '0:30', '–', '–', '–', '–', '–', '1:30')
    expect(await stored('One')).toContain(`${addDays(LAST, 1)} 30`)
    // Emptied, an entry goes once one is sure.
    await tuesday.fill('')
    await tuesday.blur()
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await sumsAre(ada, '1:00', '–', '–', '–', '–', '–', '–', '1:00')
  })

  test('does not overwrite with what was refused what is typed since', async () => {
    const { ada, log, open } = await openWeek(['lena', 'lars'])
    await log('One', 0, 60)
    await open()
    let answer = Promise.withResolvers<void>()
    await ada.route('**/trpc/*time.*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await answer.promise
      const data = { message: 'No', code: 'CONFLICT', httpStatus: 409 }
      await route.fulfill({ status: 409, json: { error: { message: 'No', code: -32009, data } } })
    })
    const tuesday = cell(ada, 'One', 'Tue')
    await tuesday.fill('0:30')
    await tuesday.blur()
    await sumsAre(ada, '1:00', '0:30', '–', '–', '–', '–', '–', '1:30')
    await tuesday.fill('0:45')
    answer.resolve()
    await sumsAre(ada, '1:00', '–', '–', '–', '–', '–', '–', '1:00')
    await toast(ada, 'Error')
    expect(await tuesday.inputValue()).toBe('0:45')
    await tuesday.press('Escape')
    answer = Promise.withResolvers<void>()
    const note = ada.getByRole('textbox', { name: 'Note' })
    const shown = (text: string) => ada.locator(`[title="${text}"]`).waitFor({ state: 'attached' })
    await cell(ada, 'One', 'Mon').press('Shift+F2')
    await enter(note, 'First')
    await shown('First')
    await cell(ada, 'One', 'Mon').press('Shift+F2')
    await note.fill('Second')
    answer.resolve()
    await shown('Note 0')
    expect(await note.inputValue()).toBe('Second')
  })

  test('does not overwrite what has come in while one was typing', async () => {
    const { ada, log, stored, open } = await openWeek(['cleo', 'curt'])
    await log('One', 0, 60)
    await open()
    const monday = cell(ada, 'One', 'Mon')
    await monday.fill('3')
    const tab = await ada.context().newPage()
    await open(tab)
    // The draft is this tab's own.
    await enter(cell(tab, 'One', 'Mon'), '2')
    await sumsAre(ada, '2:00', '–', '–', '–', '–', '–', '–', '2:00')
    await monday.press('Enter')
    await ada
      .getByText('This was changed to 2:00 while you were editing. Press Enter to save yours, Escape to discard it.')
      .waitFor()
    expect(await stored('One')).toEqual([`${LAST} 120`])
    await monday.focus()
    await monday.press('Enter')
    await sumsAre(tab, '3:00', '–', '–', '–', '–', '–', '–', '3:00')
  })

  test('opens a cell of several entries, to be edited one by one', async () => {
    const { ada, log, open } = await openWeek(['dana', 'dirk'])
    await log('One', 4, 60)
    await log('One', 4, 30)
    await log('Two', 4, 15)
    await open()
    await sumsAre(ada, '–', '–', '–', '–', '1:45', '–', '–', '1:45')
    await several(ada, 'One', 'Fri').click()
    const list = ada.getByRole('dialog', { name: /^One, Fri/ })
    await list.getByText('0h 30m').waitFor()
    await findsNothing(ada, 'the entries of a cell')
    await list.getByRole('button', { name: 'Edit time entry' }).first().click()
    await ada.getByRole('spinbutton', { name: 'Hours' }).fill('2')
    await press(ada, 'Save Changes')
    await toast(ada, 'Time entry updated')
    await leave(list)
    await ada.waitForFunction(() => /Fri/.test(document.querySelector(':focus')?.textContent ?? ''))
    expect(await sums(ada).last().textContent()).not.toBe('1:45')
    await ada.keyboard.press('ArrowDown')
    expect(await ada.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toStartWith('Two, Fri')
  })

  test('keeps the focus where one is: in a cell of which one entry is left, and after the question about an emptied one', async () => {
    const { ada, boardId, log, open } = await openWeek(['dora', 'dolf'])
    await log('One', 4, 60)
    await log('One', 4, 30)
    await log('One', 0, 15)
    await open()
    await several(ada, 'One', 'Fri').press('Enter')
    await ada.getByRole('button', { name: 'Edit time entry' }).first().press('Enter')
    await button(ada, 'Delete').press('Enter')
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await hasFocus(cell(ada, 'One', 'Fri'))
    await cell(ada, 'One', 'Fri').fill('')
    await ada.keyboard.press('Tab')
    await hasFocus(button(ada, 'Cancel'))
    await leave(ada.getByRole('alertdialog'))
    await hasFocus(cell(ada, 'One', 'Sat'))
    await cell(ada, 'One', 'Fri').fill('')
    await ada.keyboard.press('Tab')
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await hasFocus(cell(ada, 'One', 'Sat'))
    await ada.goto(`/board/${boardId}`)
    await button(ada, 'Start the timer on Two').waitFor()
    await card(ada, 'Two').focus()
    await ada.keyboard.press('t')
    await ada.keyboard.press('Shift+T')
    await several(ada, 'Two', '').press('Enter')
    const entries = ada.getByRole('dialog', { name: /^Two, / })
    await entries.locator(':focus').waitFor()
    await entries.getByRole('button', { name: 'Stop' }).press('Enter')
    await hasFocus(cell(ada, 'Two', ''))
  })

  test('takes any task of any board, which keeps its row for that week', async () => {
    const { ada, stored, open } = await openWeek(['hera', 'hias'])
    const other = await (await ada.request.get('/api/boards')).json()
    // Neither assigned nor worked on.
    const far = await (await ada.request.post(`/api/boards/${other[0].id}/tasks`, { data: { title: 'Far away' } })).json()
    await open()
    const field = ada.getByRole('combobox', { name: 'Add a task' })
    await field.click()
    expect(await ada.getByRole('option').count()).toBe(2)
    await findsNothing(ada, 'the likely tasks')
    await ada.keyboard.type('far')
    const option = ada.getByRole('option', { name: 'Far away' })
    await option.and(ada.locator('[aria-selected=true]')).waitFor()
    await leave(option)
    await ada.keyboard.type('away')
    await option.click()
    await ada.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('Far away, Mon '))
    await ada.reload()
    await enter(cell(ada, 'Far away', 'Tue'), '0:20')
    await sumsAre(ada, '–', '0:20', '–', '–', '–', '–', '–', '0:20')
    await until('it is stored', async () => {
      const entries = await (await ada.request.get(`/api/time-entries/task/${far.id}`)).json()
      return entries.length === 1 && entries[0].day === addDays(LAST, 1) && entries[0].duration === 20
    })
    await press(ada, 'Next week')
    await ada.getByText('Nothing logged for this week').waitFor()
    await field.fill('xylophone')
    await ada.getByText('No tasks match.').waitFor()
    expect(await stored('One')).toEqual([])
  })

  test('is no wider than 960 px from the name to the sum', async () => {
    const { ada, log, open } = await openWeek(['jane', 'jost'])
    await ada.setViewportSize({ width: 1920, height: 1080 })
    await log('One', 0, 60)
    await open()
    expect((await sheet(ada).boundingBox())?.width).toBeLessThanOrEqual(960)
  })

  test('has a note for each cell, by keyboard and pointer', async () => {
    const { ada, open, notes } = await openWeek(['kaya', 'kurt'])
    await open()
    await addRow(ada, 'one')
    await ada.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('One, Mon '))
    await type(ada, '1:30', 'Shift+F2')
    const note = ada.getByRole('textbox', { name: 'Note' })
    await note.and(ada.locator(':focus')).waitFor()
    await findsNothing(ada, 'the note of a cell')
    await type(ada, 'Talked to the printer', 'Enter')
    await cell(ada, 'One', 'Mon').and(ada.locator(':focus')).waitFor()
    await button(ada, `Note: ${await cell(ada, 'One', 'Mon').getAttribute('aria-label')}`).waitFor()
    await until('the note', async () => Bun.deepEquals(await notes('One'), ['Talked to the printer']))
    await ada.reload()
    await sumsAre(ada, '1:30', '–', '–', '–', '–', '–', '–', '1:30')
    await cell(ada, 'One', 'Mon').hover()
    await ada.getByRole('button', { name: /^Note: One, Mon/ }).click()
    expect(await note.inputValue()).toBe('Talked to the printer')
    await note.fill('Talked to Bob')
    // Whatever it is left for.
    await cell(ada, 'One', 'Tue').click()
    await note.waitFor({ state: 'detached' })
    await cell(ada, 'One', 'Tue').and(ada.locator(':focus')).waitFor()
    await until('the other note', async () => Bun.deepEquals(await notes('One'), ['Talked to Bob']))
    await ada.keyboard.press('Shift+F2')
    expect(await note.count()).toBe(0)
    await ada.getByRole('heading', { name: 'My time' }).click()
    await ada.keyboard.press('Control+z')
    await until('the first note', async () => Bun.deepEquals(await notes('One'), ['Talked to the printer']))
  })

  test('takes back a note, and nothing else that was changed meanwhile', async () => {
    const { ada, open, notes, billable } = await openWeek(['kuno', 'karl'])
    await open()
    await addRow(ada, 'one')
    await cell(ada, 'One', 'Mon').fill('1:30')
    await ada.keyboard.press('Shift+F2')
    await enter(ada.getByRole('textbox', { name: 'Note' }), 'Printer')
    await until('the note', async () => Bun.deepEquals(await notes('One'), ['Printer']))
    const id = (await billable('One'))[0]?.id ?? 0
    await ada.request.patch(`/api/time-entries/${id}`, { data: { billable: false } })
    await ada.getByRole('heading', { name: 'My time' }).click()
    await ada.keyboard.press('Control+z')
    await until('no note', async () => Bun.deepEquals(await notes('One'), [null]))
    expect(await billable('One')).toEqual([{ id, billable: false }])
  })

  test('counts the timer that runs, and is led to from every page by a key', async () => {
    const { ada, boardId } = await openWeek(['elke', 'egon'])
    await ada.goto(`/board/${boardId}`)
    await button(ada, 'Start the timer on One').waitFor()
    await card(ada, 'One').focus()
    await ada.keyboard.press('t')
    await timer(ada).getByText('0:00:').waitFor()
    await isTitled(ada, '0:00 · Spring catalogue')
    await ada.keyboard.press('Shift+T')
    await ada.waitForURL('**/time')
    const today = several(ada, 'One', '')
    await today
      .filter({ has: ada.locator('span') })
      .first()
      .waitFor()
    await isTitled(ada, '0:00 · My time')
    await ada.goto(`/board/${boardId}`)
    await button(ada, 'Stop the timer on One').waitFor()
    await card(ada, 'One').focus()
    await ada.keyboard.press('t')
    await toast(ada, 'Time entry added', 'Added 1 minute to "One"')
    await isTitled(ada, 'Spring catalogue')
    // By its button, as on touch.
    await button(ada, 'Start the timer on One').click()
    await button(ada, 'Stop the timer on One').waitFor()
    await timer(ada).getByRole('link', { name: 'One' }).waitFor()
  })

  test('is written down without a connection, and stored when there is one', async () => {
    const { ada, log, stored, open } = await openWeek(['fara', 'fritz'])
    const cut = await cutOff(ada)
    await log('One', 0, 60)
    await open()
    await cell(ada, 'One', 'Mon').waitFor()
    await ada.context().setOffline(true)
    await cut()
    await enter(cell(ada, 'One', 'Wed'), '0:45')
    await sumsAre(ada, '1:00', '–', '0:45', '–', '–', '–', '–', '1:45')
    await enter(cell(ada, 'One', 'Wed'), '0:50')
    await sumsAre(ada, '1:00', '–', '0:50', '–', '–', '–', '–', '1:50')
    await ada.context().setOffline(false)
    await reconnect(ada)
    await ada.getByText('will sync').waitFor({ state: 'detached' })
    expect(await stored('One')).toEqual([`${addDays(LAST, 2)} 50`, `${LAST} 60`])
  })

  test('shows one day at a time on a phone, in dark too', async () => {
    const { ada, log, open } = await openWeek(['gina', 'gerd'])
    await log('One', 2, 45)
    await ada.setViewportSize({ width: 390, height: 844 })
    await ada.emulateMedia({ colorScheme: 'dark' })
    await open()
    expect(await cell(ada, 'One', 'Mon').count()).toBe(1)
    await ada.getByRole('group', { name: 'Day' }).getByRole('button', { name: /^Wed/ }).click()
    expect(await cell(ada, 'One', 'Wed').inputValue()).toBe('0:45')
    expect(await ada.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await findsNothing(ada, 'a day on a phone')
  })
})

import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { users } from '../../src/db/tables'
import { findsNothing } from '../support/axe'
import { inChromium, sharedBoard } from '../support/chromium'
import { openQuick } from '../support/databases'
import { answerHeld, card, dialog, enter, keys, leave, press, refuseCalls, type } from '../support/page'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search boards, tasks, comments and people' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

/** Waits until the option that Enter would choose is this one. */
const isChosen = (page: Page, name: string) =>
  page.waitForFunction(
    (text) => {
      const id = document.activeElement?.getAttribute('aria-activedescendant')
      const chosen = id ? document.getElementById(id) : null
      return chosen?.getAttribute('aria-selected') === 'true' && chosen.textContent?.includes(text)
    },
    name,
    { timeout: 10_000 },
  )

async function find(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  await page.keyboard.type(text)
}

const gone = (page: Page) => dialog(page, 'Search').waitFor({ state: 'detached' })

/** A board of Bob's with Ada on it, which she has not opened. */
async function anotherBoard(bob: Page, ada: string, name: string, titles: string[]) {
  const board = await (await bob.request.post('/api/boards', { data: { name } })).json()
  for (const title of titles) await bob.request.post(`/api/boards/${board.id}/tasks`, { data: { title } })
  await bob.request.post(`/api/boards/${board.id}/members`, { data: { username: ada } })
  return board.id as number
}

inChromium('the finder', (site) => {
  test('by keyboard alone: a task of a board that is not open, and back by what is recent', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['finda', 'findb'], ['Print the catalogue', 'Choose paper'])
    const other = await anotherBoard(bob, 'finda', 'Autumn fair', ['Rent a stand', 'Print posters'])
    await find(ada, 'print po')
    await isChosen(ada, 'Print posters')
    expect(await ada.locator('mark').allTextContents()).toEqual(expect.arrayContaining(['Print', 'po']))
    await ada.keyboard.press('Enter')
    await ada.getByRole('dialog', { name: 'Print posters' }).waitFor()
    expect(new URL(ada.url()).pathname).toBe(`/board/${other}`)
    await leave(ada.getByRole('dialog'))

    await find(ada, '')
    await isChosen(ada, 'Autumn fair')
    await ada.keyboard.press('ArrowDown')
    await isChosen(ada, 'Print posters')
    await ada.keyboard.press('ArrowDown')
    await isChosen(ada, 'Spring catalogue')
    await keys(ada, 'ArrowUp', 'ArrowUp', 'ArrowUp')
    await isChosen(ada, 'Log out')
    await ada.keyboard.type('sprnig')
    await isChosen(ada, 'Spring catalogue')
    await ada.keyboard.press('Enter')
    await ada.waitForURL(`**/board/${boardId}`)
    await gone(ada)

    await ada.getByRole('button', { name: 'Time Logs' }).focus()
    await find(ada, 'findb')
    await isChosen(ada, 'Findb')
    await ada.keyboard.press('Escape')
    await gone(ada)
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === 'Time Logs')
    await find(ada, 'findb')
    await isChosen(ada, 'Findb')
    await ada.keyboard.press('Enter')
    await ada.waitForURL('**/findb')
  })

  test('what is typed while something is loaded comes into its field, and is no shortcut', async () => {
    const ada = await site.open('ada')
    const bob = await site.open('bob')
    await sharedBoard(ada, bob, ['tia', 'ugo'], ['Contract', 'Tale'], [ada])
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await ada.route('**/assets/Finding-*.js', (route) => released.then(() => route.continue()))
    const board = ada.url()
    await ada.reload()
    await ada.locator('[data-task]').first().waitFor()
    await ada.keyboard.press('Control+k')
    await type(ada, 'contracts', 'Backspace')
    release()
    await option(ada, /Contract/)
      .first()
      .waitFor()
    expect(await field(ada).inputValue()).toBe('contract')
    expect(await ada.getByRole('form', { name: 'New task' }).count()).toBe(0)
    expect(ada.url()).toBe(board)
    await ada.unrouteAll({ behavior: 'ignoreErrors' })

    // What checks a new task comes last, and Enter waits for it.
    for (const [key, title] of [
      ['Shift+C', 'Take it to the printer'],
      ['c', 'Fetch it'],
    ] as const) {
      const again = Promise.withResolvers<void>()
      await ada.route('**/assets/schema-*.js', (route) => again.promise.then(() => route.continue()))
      await ada.reload()
      await ada.locator('[data-task]').first().waitFor()
      await ada.keyboard.press(key)
      await type(ada, title, 'Enter')
      again.resolve()
      await card(ada, title).waitFor()
      expect(ada.url()).toBe(board)
      await ada.unrouteAll({ behavior: 'ignoreErrors' })
    }

    const last = Promise.withResolvers<void>()
    await ada.route('**/assets/MemberList-*.js', (route) => last.promise.then(() => route.continue()))
    await ada.reload()
    await ada.locator('[data-task]').first().waitFor()
    await press(ada, 'Invite Members')
    await ada.keyboard.type('zoe')
    last.resolve()
    const invited = ada.getByRole('dialog', { name: 'Invite Members' }).getByRole('textbox').first()
    await invited.waitFor()
    expect(await invited.inputValue()).toBe('zoe')
  })

  test('of equal tasks, those of the open board come first, and open ones before done ones', async () => {
    const { ada, bob, taskIds } = await site.sharedBoard(['tagga', 'taggb'], ['Bind', 'Fold', 'Trim'], { seenBy: ['ada'] })
    const tag = (id: number | undefined, more = {}) =>
      ada.request.patch(`/api/tasks/${id}`, { data: { tags: ['print'], ...more } })
    await tag(taskIds[0])
    await tag(taskIds[1], { status: 'done' })
    await tag(taskIds[2])
    const other = await anotherBoard(
      bob,
      'tagga',
      'Autumn fair',
      [...Array(12).keys()].map((n) => `Stand ${n}`),
    )
    for (const { id } of await (await ada.request.get(`/api/boards/${other}/tasks`)).json()) await tag(id)
    await find(ada, 'print')
    await option(ada, /Stand/).first().waitFor()
    const titles = await ada.getByRole('group', { name: 'Tasks' }).getByRole('option').allTextContents()
    expect(titles.map((text) => /Bind|Fold|Trim|Stand/.exec(text)?.[0])).toEqual([
      'Bind',
      'Trim',
      'Fold',
      ...Array(9).fill('Stand'),
    ])
  })

  test('comments are found, and nothing more of a board that one was removed from', async () => {
    const { ada, bob, boardId, taskId } = await site.sharedBoard(['findc', 'findd'], ['Choose paper'])
    await ada.request.post(`/api/tasks/${taskId}/comments`, { data: { content: 'Recycled, eighty grams' } })
    await bob.goto('/')
    await bob.getByText('Welcome').waitFor()
    await find(bob, 'eighty')
    await isChosen(bob, 'Recycled, eighty grams')
    await ada.request.delete(`/api/boards/${boardId}/members/${(await (await bob.request.get('/api/auth/me')).json()).id}`)
    await bob.getByText('No boards yet').first().waitFor()
    await bob.keyboard.press('Control+a')
    await bob.keyboard.type('paper')
    await bob.getByText('Nothing found for “paper”.').waitFor()
    await keys(bob, 'Control+a', 'Delete')
    await bob.getByText('Boards and tasks you open appear here.').waitFor()
  })

  test('actions start a timer, open the dialog of a new task, and the time logs of a board', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['finde', 'findf'], ['Choose paper'])
    const other = await anotherBoard(bob, 'finde', 'Autumn fair', ['Rent a stand'])
    await find(ada, 'start stand')
    await isChosen(ada, 'Start timer on Rent a stand')
    await ada.keyboard.press('Enter')
    await ada.getByRole('link', { name: 'Rent a stand' }).first().waitFor()

    await find(ada, 'new task aut')
    await isChosen(ada, 'New task in Autumn fair')
    await ada.keyboard.press('Enter')
    await dialog(ada, 'Create New Task').waitFor()
    await enter(ada.getByLabel('Task Title'), 'Order posters')
    await ada.waitForURL(`**/board/${other}`)
    await ada.getByRole('button', { name: /^Order posters/ }).waitFor()

    await find(ada, 'time logs spring')
    await isChosen(ada, 'Time logs for Spring catalogue')
    await ada.keyboard.press('Enter')
    await dialog(ada, 'Time Logs').waitFor()
    expect(ada.url()).toEndWith(`/board/${boardId}#time-logs`)
    await leave(dialog(ada, 'Time Logs'))
    expect(new URL(ada.url()).hash).toBe('')
  })

  test('does what the page can do: by part of a name, above tasks, and below a board that is called so', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['findk', 'findl'], ['Darken the cover', 'Import paper'])
    await anotherBoard(bob, 'findk', 'Profile', ['Rent a stand'])
    await ada.getByRole('link', { name: 'Profile', exact: true }).waitFor()
    const theme = () => ada.evaluate(() => document.documentElement.dataset.theme ?? 'system')

    await ada.getByRole('button', { name: 'Time Logs' }).focus()
    await find(ada, 'dark')
    await isChosen(ada, 'Dark theme')
    await option(ada, /To Do: Darken the cover/).waitFor()
    await ada.keyboard.press('Enter')
    await gone(ada)
    expect(await theme()).toBe('dark')
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === 'Time Logs')
    await find(ada, 'appea')
    await option(ada, 'System theme').click()
    await gone(ada)
    expect(await theme()).toBe('system')

    await find(ada, 'profile')
    await isChosen(ada, 'Profile')
    await ada.keyboard.press('ArrowDown')
    expect(await ada.getByRole('group').evaluateAll((groups) => groups.map((group) => group.firstChild?.textContent))).toEqual([
      'Boards',
      'Actions',
      'More actions',
    ])
    await ada.keyboard.press('Enter')
    await ada.waitForURL('**/findk')

    await find(ada, 'keyb')
    await isChosen(ada, 'Keyboard shortcuts')
    await ada.keyboard.press('Enter')
    await dialog(ada, 'Keyboard shortcuts').waitFor()
    await leave(dialog(ada, 'Keyboard shortcuts'))

    await find(ada, 'invite spr')
    await isChosen(ada, 'Invite people to Spring catalogue')
    await ada.keyboard.press('Enter')
    await dialog(ada, 'Invite Members').getByRole('textbox').first().and(ada.locator(':focus')).waitFor()
    expect(ada.url()).toEndWith(`/board/${boardId}#invite`)
    await leave(dialog(ada, 'Invite Members'))
    expect(new URL(ada.url()).hash).toBe('')
    await find(ada, 'inv')
    await isChosen(ada, 'Invite people to Spring catalogue')
    await ada.keyboard.press('Enter')
    await dialog(ada, 'Invite Members').getByRole('textbox').first().and(ada.locator(':focus')).waitFor()
    await ada.keyboard.press('Escape')

    await find(ada, 'time')
    await isChosen(ada, 'My time')
    await option(ada, 'Time logs for Spring catalogue').waitFor()
    await ada.keyboard.press('Enter')
    await ada.waitForURL('**/time')

    const { db } = await openQuick()
    await db.update(users).set({ isPro: true }).where(eq(users.username, 'findk'))
    await find(ada, 'new b')
    await isChosen(ada, 'New board')
    await ada.keyboard.press('Enter')
    await dialog(ada, 'Create New Board').waitFor()
    await type(ada, 'Winter list', 'Enter')
    await ada.getByRole('heading', { name: 'Winter list' }).waitFor()

    await find(ada, 'imp')
    await isChosen(ada, 'Import a board')
    await ada.keyboard.press('Control+a')
    await ada.keyboard.type('sign')
    await isChosen(ada, 'Log out')
    await ada.keyboard.press('Enter')
    await ada.waitForURL('**/login*')
  })

  test('offers nothing that would be refused, nor without a connection what needs one', async () => {
    const { ada, boardId } = await site.ownBoard(['findm', 'findn'], ['Choose paper'])
    await find(ada, 'catal')
    await option(ada, 'New task in Spring catalogue').waitFor()
    await ada.route('**/trpc/*boards.list*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll('"locked":false', '"locked":true') })
    })
    await ada.goto('/profile-of-nobody')
    await ada.goto(`/board/${boardId}`)
    await ada.getByRole('region', { name: 'Columns' }).waitFor()
    await find(ada, 'catal')
    await option(ada, 'Time logs for Spring catalogue').waitFor()
    expect(await option(ada, /^(New task in|Invite people to)/).count()).toBe(0)
    await ada.unrouteAll({ behavior: 'ignoreErrors' })

    await ada.context().setOffline(true)
    await ada.keyboard.press('Control+a')
    await ada.keyboard.type('catalo')
    await ada.getByText('Offline: only boards you’ve opened are searched.').waitFor()
    await keys(ada, 'Control+a', 'Delete')
    await option(ada, 'Dark theme').waitFor()
    expect(await option(ada, /^(Log out|Import|New board|Time logs|Invite)/).count()).toBe(0)
    await ada.context().setOffline(false)
  })

  test('the page answers at once, without a connection too, and a late answer is for nobody', async () => {
    const { ada, bob } = await site.sharedBoard(['findg', 'findh'], ['Print the catalogue'])
    await anotherBoard(bob, 'findg', 'Autumn fair', ['Print posters', 'Rent a stand'])
    await ada.getByRole('link', { name: 'Autumn fair' }).waitFor()
    const late = await answerHeld(ada, 'finder.find')
    await find(ada, 'print')
    await isChosen(ada, 'Print the catalogue')
    await late.given
    expect(await option(ada, /Print posters/).count()).toBe(0)
    await ada.keyboard.press('Control+a')
    await ada.keyboard.type('stand')
    await isChosen(ada, 'Rent a stand')
    late.release()
    await ada.keyboard.press('Control+a')
    await ada.keyboard.type('stan')
    await isChosen(ada, 'Rent a stand')
    expect(await option(ada, /Print/).count()).toBe(0)

    const data = { message: 'Too many searches.', code: 'TOO_MANY_REQUESTS', httpStatus: 429, retryAfter: 1 }
    const refused = { status: 429, json: { error: { message: data.message, code: -32029, data } } }
    await ada.route('**/trpc/*finder.find*', (route) => route.fulfill(refused), { times: 1 })
    await ada.keyboard.press('Control+a')
    await ada.keyboard.type('poster')
    await ada.getByText('Searching…').waitFor()
    expect(await ada.getByText('Offline:').count()).toBe(0)
    await isChosen(ada, 'Print posters')

    await refuseCalls(ada, '*finder.find')
    await ada.keyboard.press('Control+a')
    await ada.keyboard.type('catalog')
    await ada.getByText('Full search is unavailable: only boards you’ve opened are searched.').waitFor()
    await ada.unrouteAll({ behavior: 'ignoreErrors' })

    await ada.context().setOffline(true)
    await ada.keyboard.press('Control+a')
    await ada.keyboard.type('catal')
    await ada.getByText('Offline: only boards you’ve opened are searched.').waitFor()
    await isChosen(ada, 'Spring catalogue')
    await option(ada, /To Do: Print the catalogue/).waitFor()
    await ada.context().setOffline(false)
  })

  test('on a phone, light and dark, there is a magnifier, and nothing that axe would find', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { ada } = await site.sharedBoard([`finda-${colorScheme}`, `findb-${colorScheme}`], ['Print the catalogue'], {
        ada: { colorScheme, viewport: { width: 390, height: 844 }, hasTouch: true },
        seenBy: ['ada'],
      })
      await press(ada, 'Search')
      await option(ada, /Spring catalogue/)
        .first()
        .waitFor()
      await findsNothing(ada, `the finder when empty, ${colorScheme}`)
      await field(ada).fill('cata')
      await option(ada, /Print the catalogue/)
        .first()
        .waitFor()
      await ada.getByRole('status').filter({ hasText: 'results' }).waitFor()
      await findsNothing(ada, `the finder, ${colorScheme}`)
      expect(await ada.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      await field(ada).fill('xylophone')
      await ada.getByText('Nothing found for “xylophone”.').waitFor()
      await press(ada, 'Close')
      await gone(ada)
    }
  })

  test('who signs out leaves nothing recent behind', async () => {
    const { ada } = await site.ownBoard(['findi', 'findj'], ['Print the catalogue'])
    await ada.waitForFunction(() => localStorage.getItem('recent') !== null)
    await press(ada, 'Log out')
    await ada.waitForURL('**/login*')
    expect(await ada.evaluate(() => localStorage.getItem('recent'))).toBeNull()
  })
})

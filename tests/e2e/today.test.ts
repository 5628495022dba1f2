import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { boardMembers } from '../../src/db/tables'
import { findsNothingInBoth } from '../support/axe'
import { inChromium } from '../support/chromium'
import { openQuick } from '../support/databases'
import { channel, drag, hasFocus, heldBack, press, refuseCalls, toast, told } from '../support/page'
import { until } from '../support/until'

const tasks = (page: Page) => page.getByRole('region', { name: 'My tasks' })
const group = (page: Page, name: string) => tasks(page).getByRole('region', { name })
const row = (page: Page, title: string) => tasks(page).getByRole('listitem').filter({ hasText: title })
const tick = (page: Page, title: string) => page.getByRole('checkbox', { name: `Done: ${title}`, exact: true })
const titles = (page: Page, name: string) => group(page, name).getByRole('link').allTextContents()
const fold = (page: Page, name: string) => group(page, name).getByRole('button', { name })
const boardCard = (page: Page, name: string) => page.locator('main ul[aria-busy] > li').filter({ hasText: name })

/** A day from now, where the browser is. */
const dayFromNow = (page: Page, days: number) =>
  page.evaluate((days) => {
    const day = new Date()
    day.setDate(day.getDate() + days)
    return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
  }, days)

inChromium('the day', (site) => {
  /** Ada on her dashboard, Bob on his; Ada has a task of each group, and made the board. */
  async function opened(names: [string, string], options: Parameters<typeof site.open>[1] = {}) {
    const { ada, bob, boardId } = await site.sharedBoard(names, [], { ada: options, seenBy: [] })
    const me = await (await ada.request.get('/api/auth/me')).json()
    const make = async (title: string, due: number | null, assignees: number[] = [me.id]) => {
      const dueDate = due === null ? null : await dayFromNow(ada, due)
      const task = await (await ada.request.post(`/api/boards/${boardId}/tasks`, { data: { title, dueDate } })).json()
      for (const userId of assignees) await ada.request.post(`/api/tasks/${task.id}/assignees`, { data: { userId } })
      return task.id as number
    }
    return { ada, bob, boardId, me, make }
  }
  const change = (page: Page, taskId: number, data: object) => page.request.patch(`/api/tasks/${taskId}`, { data })
  const statusOf = async (page: Page, taskId: number) => (await (await page.request.get(`/api/tasks/${taskId}`)).json()).status
  const go = async (page: Page) => {
    await page.goto('/')
    await page.getByRole('region', { name: 'My tasks' }).waitFor()
  }

  test('shows the tasks by their days, later ones once their heading is pressed; what others do to them shows at once', async () => {
    const { ada, bob, boardId, me, make } = await opened(['lena', 'lobi'])
    const ids = []
    for (const [title, due] of [
      ['Late', -2],
      ['Now', 0],
      ['Soon', 2],
      ['Far', 30],
      ['Someday', null],
    ] as const)
      ids.push(await make(title, due))
    await go(ada)
    for (const [name, title, folds] of [
      ['Overdue', 'Late', false],
      ['Today', 'Now', false],
      ['This week', 'Soon', true],
      ['Later', 'Far', true],
      ['No due date', 'Someday', true],
    ] as const) {
      if (folds) {
        expect(await titles(ada, name)).toEqual([])
        await fold(ada, name).click()
      }
      expect(await titles(ada, name)).toEqual([title])
    }
    expect(await row(ada, 'Late').getByRole('link').getAttribute('href')).toBe(
      `/board/${boardId}?task=${ids[0]}&openTaskDetail=true`,
    )
    const [late = 0, now = 0, soon = 0, far = 0] = ids
    await change(bob, late, { title: 'Very late' })
    await row(ada, 'Very late').waitFor()
    await change(bob, now, { status: 'done' })
    await ada.getByRole('checkbox', { name: 'Done: Now', checked: true }).waitFor()
    await change(bob, soon, { dueDate: await dayFromNow(ada, -1) })
    await group(ada, 'Overdue').getByRole('link', { name: 'Soon' }).waitFor()
    await bob.request.delete(`/api/tasks/${far}/assignees/${me.id}`)
    await row(ada, 'Far').waitFor({ state: 'detached' })
    await bob.request.post(`/api/tasks/${far}/assignees`, { data: { userId: me.id } })
    await row(ada, 'Far').waitFor()
    await ada.request.delete(`/api/tasks/${late}`)
    await row(ada, 'Very late').waitFor({ state: 'detached' })
    await row(ada, 'Soon').getByRole('link').click()
    await ada.getByRole('dialog').getByRole('heading', { name: 'Time tracking' }).waitFor()
    expect(ada.url()).toEndWith(`/board/${boardId}#task-${soon}`)
    await ada.keyboard.press('Escape')
    await ada.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await row(ada, 'Far').waitFor()
    await fold(ada, 'Later').press('Enter')
    await row(ada, 'Far').waitFor({ state: 'detached' })
    expect(await fold(ada, 'Later').getAttribute('aria-expanded')).toBe('false')
  })

  test('has a tick that stays under the pointer, so that a second click hits no other task; it keeps the focus, and is undone; a refused one comes back', async () => {
    const { ada, bob, boardId, make } = await opened(['mara', 'mobi'])
    const first = await make('First', -1)
    await make('Second', -1)
    await go(ada)
    const release = await heldBack(ada, 'tasks.update')
    const place = await tick(ada, 'First').boundingBox()
    await tick(ada, 'First').click()
    await group(ada, 'Overdue').getByRole('checkbox', { name: 'Done: First', checked: true }).waitFor()
    expect(await tick(ada, 'First').boundingBox()).toEqual(place)
    await ada.mouse.move(0, 0)
    await group(ada, 'Today').getByRole('checkbox', { name: 'Done: First', checked: true }).waitFor()
    await ada.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Done: First')
    await release()
    await toast(ada, 'Moved to Done', 'First')
    await boardCard(ada, 'Spring catalogue').getByRole('img', { name: '1 to do, 0 in progress, 1 done' }).waitFor()
    await press(ada, 'Undo')
    await group(ada, 'Overdue').getByRole('checkbox', { name: 'Done: First', checked: false }).waitFor()
    await until('the task is stored as before', async () => (await statusOf(bob, first)) === 'todo')
    const { tasks: column } = await (await bob.request.get(`/api/boards/${boardId}/snapshot`)).json()
    expect(column.map(({ title }: { title: string }) => title)).toEqual(['First', 'Second'])
    await refuseCalls(ada, 'tasks.update')
    await tick(ada, 'Second').click()
    await told(ada, 'Error', 'Could not update task status. Please try again.')
    await group(ada, 'Overdue').getByRole('checkbox', { name: 'Done: Second', checked: false }).waitFor()
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('ticks without a connection, too, which is sent when there is one', async () => {
    const { ada, bob, make } = await opened(['nora', 'nobi'])
    const id = await make('Offline', 0)
    await go(ada)
    await ada.context().setOffline(true)
    await tick(ada, 'Offline').click()
    await ada.getByRole('checkbox', { name: 'Done: Offline', checked: true }).waitFor()
    await ada.context().setOffline(false)
    await until('it was sent', async () => (await statusOf(bob, id)) === 'done')
  })

  test('starts and pauses a timer, and counts the hours of the day', async () => {
    const { ada, make } = await opened(['olga', 'oobi'])
    const id = await make('Dig', 0)
    await ada.request.post('/api/time-entries', { data: { taskId: id, duration: 90, timeZone: 'UTC' } })
    await go(ada)
    const time = ada.getByRole('region', { name: 'My time' })
    await time.getByText('1h 30m today').waitFor()
    await time.getByText('1h 30m this week').waitFor()
    // One thing is called so.
    expect(await ada.getByText(/^Today/).count()).toBe(1)
    await press(ada, 'Start timer: Dig')
    await time.getByRole('link', { name: 'Dig' }).waitFor()
    await time.getByText(/^0:00:/).waitFor()
    const above = await time.getByRole('link', { name: 'Dig' }).locator('..').boundingBox()
    const below = await time.getByRole('heading', { name: 'My time' }).boundingBox()
    if (!above || !below) throw new Error('nothing is there')
    // At 1280 px, where the hours come to stand beside the tasks.
    expect(above.y + above.height).toBeLessThan(below.y)
    expect(above.width).toBe(288)
    const inside = await time.getByRole('button', { name: 'Stop' }).boundingBox()
    expect(inside && above.y + above.height - inside.y - inside.height).toBe(16)
    await press(ada, 'Pause timer: Dig')
    await time.getByRole('link', { name: 'Dig' }).waitFor({ state: 'detached' })
    await press(ada, 'Resume timer: Dig')
    await time.getByRole('link', { name: 'Dig' }).waitFor()
  })

  test("counts a board's tasks anew when others change them, a moment later, without the board open", async () => {
    const { ada, bob, boardId } = await opened(['pina', 'pobi'])
    const { told: heard } = await channel(ada)
    await go(ada)
    const strip = (name: string) => boardCard(ada, 'Spring catalogue').getByRole('img', { name }).waitFor()
    await strip('No tasks yet')
    const task = await (await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'New' } })).json()
    await heard('boards_changed')
    await strip('1 to do, 0 in progress, 0 done')
    await boardCard(ada, 'Spring catalogue').getByText('Pobi added a task').waitFor()
    const logged = await bob.request.post('/api/time-entries', { data: { taskId: task.id, duration: 5 } })
    await boardCard(ada, 'Spring catalogue').getByText('Pobi logged time').waitFor()
    await bob.request.delete(`/api/time-entries/${(await logged.json()).id}`)
    await boardCard(ada, 'Spring catalogue').getByText('Pobi removed logged time').waitFor()
  })

  test('pins and orders the boards by menu and by hand, in all tabs and in the sidebar', async () => {
    const { ada, bob, me } = await opened(['quea', 'quobi'])
    const { db } = await openQuick()
    const other = await (await bob.request.post('/api/boards', { data: { name: 'Shed' } })).json()
    await db.insert(boardMembers).values({ boardId: other.id, userId: me.id })
    await go(ada)
    const tab = await ada.context().newPage()
    await go(tab)
    const ordered = (page: Page, names: string[]) =>
      page.waitForFunction(
        (wanted) =>
          JSON.stringify(
            [...document.querySelectorAll('main ul[aria-busy] > li a')].map((a) => a.querySelector('[dir]')?.textContent),
          ) === JSON.stringify(wanted),
        names,
      )
    await ordered(ada, ['Spring catalogue', 'Shed'])
    await press(ada, 'Menu for Shed')
    await ada.getByRole('menuitem', { name: 'Pin', exact: true }).click()
    for (const page of [ada, tab]) await ordered(page, ['Shed', 'Spring catalogue'])
    await boardCard(ada, 'Shed').getByLabel('Pinned').waitFor()
    const inSidebar = ada.getByRole('navigation', { name: 'My Boards' }).getByRole('listitem')
    expect(await inSidebar.allTextContents()).toEqual(['Shed', 'Spring catalogue'])
    await press(ada, 'Menu for Shed')
    await ada.getByRole('menuitem', { name: 'Unpin' }).click()
    await ordered(tab, ['Shed', 'Spring catalogue'])
    await press(ada, 'Menu for Shed')
    await ada.getByRole('menuitem', { name: 'Move down' }).click()
    for (const page of [ada, tab]) await ordered(page, ['Spring catalogue', 'Shed'])
    const right = await boardCard(ada, 'Shed').boundingBox()
    await drag(boardCard(ada, 'Spring catalogue'), boardCard(ada, 'Shed'), {
      targetPosition: { x: (right?.width ?? 0) - 20, y: 40 },
    })
    for (const page of [ada, tab]) await ordered(page, ['Shed', 'Spring catalogue'])
    // Nor can the order that is stored be read again.
    await refuseCalls(ada, 'boards.arrange', '*boards.list')
    await press(ada, 'Menu for Shed')
    await ada.getByRole('menuitem', { name: 'Move down' }).click()
    await told(ada, 'Order Not Saved', 'Could not save the order of your boards. Please try again.')
    await ordered(ada, ['Shed', 'Spring catalogue'])
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('fits a phone with many tasks, shows more on demand, and is clean to axe in both themes', async () => {
    const { ada, boardId, me } = await opened(['rosa', 'robi'], { viewport: { width: 390, height: 844 } })
    await go(ada)
    await ada.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor()
    const { db } = await openQuick()
    await db.execute(`with made as (insert into tasks (title, position, board_id) select 'Task number ' || n || ' with a name that does not fit', 'b' || n, ${boardId} from generate_series(100, 400) n returning id)
      insert into task_assignees (task_id, board_id, user_id) select id, ${boardId}, ${me.id} from made`)
    await ada.reload()
    const more = ada.getByRole('button', { name: 'Show 298 more' })
    await more.waitFor()
    await findsNothingInBoth(ada, 'a day with tasks')
    await more.press('Enter')
    expect(await group(ada, 'No due date').getByRole('listitem').count()).toBe(301)
    await hasFocus(group(ada, 'No due date').getByRole('checkbox').nth(3))
    const { scrollWidth, scrollHeight } = await ada.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement
      return { scrollWidth, scrollHeight }
    })
    expect([scrollWidth, scrollHeight]).toEqual([390, 844])
  })
})

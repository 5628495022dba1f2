import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { inChromium } from '../support/chromium'
import { addTask, button, card, choose, column, drag, hasFocus, leave, press, says, shows, toast } from '../support/page'
import { until } from '../support/until'

const undoByKey = (page: Page) => page.keyboard.press('Control+z')
const notice = (page: Page) => page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')
const undoIn = (page: Page, text: string) => notice(page).filter({ hasText: text }).getByRole('button', { name: 'Undo' })
const title = (page: Page) => page.getByRole('textbox', { name: 'Title' })
/** As a hand does it: the page is drawn while the button is down. */
async function pressed(page: Page, what: Locator) {
  await what.hover()
  await page.mouse.down()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.mouse.up()
}
const isClosed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

inChromium('what one has done', (site) => {
  async function openBoard(names: [string, string], titles = ['One', 'Two']) {
    const { ada, bob, boardId } = await site.sharedBoard(names, titles)
    const taskId = Number(await card(ada, 'One').getAttribute('data-task'))
    return { ada, bob, boardId, taskId }
  }

  test('is taken back in turn by the keyboard: a move, a change, an assignment; but not while one types', async () => {
    const { ada, bob } = await openBoard(['abe', 'bea'])
    await drag(card(ada, 'One'), column(ada, 'Done').getByRole('heading'))
    await shows(bob, 'Done', ['One'])
    await card(ada, 'One').click()
    await title(ada).fill('Uno')
    await ada.keyboard.press('Escape')
    await isClosed(ada)
    await shows(bob, 'Done', ['Uno'])
    await card(ada, 'Uno').click()
    await press(ada, 'Manage')
    await ada.getByRole('list', { name: 'Members to assign' }).getByRole('button').filter({ hasText: 'Bea' }).click()
    await toast(ada, 'User Assigned', 'Bea')
    await title(ada).focus()
    await undoByKey(ada)
    await button(ada, 'Unassign Bea').waitFor()
    await button(ada, 'Done').focus()
    await undoByKey(ada)
    await button(ada, 'Unassign Bea').waitFor({ state: 'detached' })
    await ada.keyboard.press('Escape')
    await button(ada, 'Manage').waitFor()
    await ada.keyboard.press('Escape')
    await isClosed(ada)
    await undoByKey(ada)
    await shows(bob, 'Done', ['One'])
    await undoByKey(ada)
    await shows(bob, 'To Do', ['One', 'Two'])
    expect(await notice(ada).count()).toBe(0)
  })

  test('has its notice reached by a key, from within a dialog too; Escape puts away only that, and the focus goes back', async () => {
    const { ada, bob } = await openBoard(['gino', 'hallie'])
    await drag(card(ada, 'One'), column(ada, 'Done').getByRole('heading'))
    await card(ada, 'One').click()
    const field = ada.getByRole('textbox', { name: 'New comment' })
    await field.fill('Half a thought')
    await undoIn(ada, 'One').waitFor()
    await ada.keyboard.press('F8')
    await hasFocus(undoIn(ada, 'One'))
    await findsNothing(ada, 'a notice that was reached by key')
    await leave(notice(ada))
    await hasFocus(field)
    await press(ada, 'Manage')
    await ada.getByRole('list', { name: 'Members to assign' }).getByRole('button').filter({ hasText: 'Hallie' }).click()
    await toast(ada, 'User Assigned', 'Hallie')
    await field.focus()
    await ada.keyboard.press('F8')
    await hasFocus(undoIn(ada, 'User Assigned'))
    await ada.keyboard.press('Enter')
    await button(ada, 'Unassign Hallie').waitFor({ state: 'detached' })
    await hasFocus(field)
    await ada.keyboard.press('Escape')
    await isClosed(ada)
    await shows(bob, 'Done', ['One'])
  })

  test('has a notice that stays while it is pointed at; what comes meanwhile follows it', async () => {
    const { ada } = await openBoard(['gus', 'hob'])
    await ada.clock.install()
    await drag(card(ada, 'One'), column(ada, 'Done').getByRole('heading'))
    await undoIn(ada, 'One').hover()
    await ada.clock.fastForward(60_000)
    await undoIn(ada, 'One').waitFor()
    // Another notice, by the keyboard.
    await ada.evaluate(() => window.dispatchEvent(new Event('open-time-logs')))
    await ada.getByRole('dialog', { name: 'Time Logs' }).waitFor()
    expect(await notice(ada).allTextContents()).toEqual([expect.stringContaining('One')])
    await ada.mouse.move(5, 5)
    await ada.clock.runFor(2_000)
    await toast(ada, 'Time Logs Opened')
    await ada.clock.runFor(6_000)
    await notice(ada).waitFor({ state: 'detached' })
  })

  test('on a phone has its notice over no field that one writes in, and over no button that sends or adds', async () => {
    const { ada, taskId } = await site.sharedBoard(['gwen', 'hank'], ['One', 'Two'], {
      ada: { viewport: { width: 390, height: 844 }, hasTouch: true },
    })
    await ada.request.post('/api/time-entries', { data: { taskId, status: 'ACTIVE' } })
    const isClear = async (place: Locator) => {
      const [over, below] = [await notice(ada).boundingBox(), await place.boundingBox()]
      if (!over || !below) throw new Error('nothing to compare')
      expect(over.y + over.height <= below.y || below.y + below.height <= over.y).toBe(true)
    }
    await button(ada, 'Menu for One').tap()
    await ada.getByRole('menuitem', { name: 'Stop timer' }).tap()
    await button(ada, 'Add note').waitFor()
    await isClear(button(ada, 'Add Task').first())
    await card(ada, 'One').tap()
    const comment = ada.getByRole('textbox', { name: 'New comment' })
    await comment.fill('Half a thought')
    await button(ada, 'Add note').waitFor()
    await isClear(comment)
    await isClear(button(ada, 'Send'))
    await isClear(title(ada))
  })

  test('stays so where somebody has changed it since, and says why; what else they changed stays', async () => {
    const { ada, bob, taskId } = await openBoard(['cai', 'dee'])
    await card(ada, 'One').click()
    await title(ada).fill('Uno')
    await ada.keyboard.press('Escape')
    await shows(bob, 'To Do', ['Uno', 'Two'])
    await bob.request.patch(`/api/tasks/${taskId}`, { data: { tags: ['odd'] } })
    await card(ada, 'odd').waitFor()
    await undoByKey(ada)
    await shows(bob, 'To Do', ['One', 'Two'])
    await card(ada, 'odd').waitFor()

    await drag(card(ada, 'Two'), column(ada, 'Done').getByRole('heading'))
    await shows(bob, 'Done', ['Two'])
    const other = await card(ada, 'Two').getAttribute('data-task')
    await bob.request.patch(`/api/tasks/${other}`, { data: { status: 'inprogress' } })
    await shows(ada, 'In Progress', ['Two'])
    await undoByKey(ada)
    await toast(ada, 'Undo Failed', 'Someone has changed this since.')
    await shows(ada, 'In Progress', ['Two'])
  })

  test('is offered no longer once the deleted task came back in another way, by oneself or by somebody else', async () => {
    const { ada, bob, boardId } = await openBoard(['gil', 'hue'])
    const remove = async (page: Page, title: string) => {
      await card(page, title).click()
      await press(page, 'Delete Task')
      await undoIn(page, 'Task Deleted').waitFor()
    }
    await remove(ada, 'One')
    await choose(ada, 'Board menu', 'Deleted tasks')
    await press(ada, 'Restore One')
    await shows(bob, 'To Do', ['One', 'Two'])
    await undoIn(ada, 'Task Deleted').waitFor({ state: 'detached' })

    const own = await (await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Three' } })).json()
    await remove(bob, 'Three')
    expect((await ada.request.post(`/api/tasks/${own.id}/restore`)).status()).toBe(200)
    await shows(bob, 'To Do', ['One', 'Two', 'Three'])
    await undoIn(bob, 'Task Deleted').waitFor({ state: 'detached' })
    // Nor is it what the keyboard takes back.
    await undoByKey(bob)
    expect(await notice(bob).count()).toBe(0)
    await shows(ada, 'To Do', ['One', 'Two', 'Three'])
  })

  test('is offered in the one notice that says what was done: a deleted task, comment and time entry come back', async () => {
    const { ada, bob, taskId } = await openBoard(['eli', 'fay'])
    await ada.request.post(`/api/tasks/${taskId}/comments`, { data: { content: 'Mind the roots' } })
    await ada.request.post('/api/time-entries', { data: { taskId, duration: 65, note: 'Dug' } })
    for (const page of [ada, bob]) await card(page, 'One').click()
    await says(bob, 'Mind the roots', '1h 5m')
    await press(ada, 'Delete comment')
    await bob.getByText('Mind the roots').waitFor({ state: 'detached' })
    await undoIn(ada, 'Comment Deleted').waitFor()
    expect(await notice(ada).count()).toBe(1)
    await undoIn(ada, 'Comment Deleted').click()
    await bob.getByText('Mind the roots').waitFor()

    await press(ada, 'Edit time entry')
    await press(ada, 'Delete')
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await undoIn(ada, 'Time entry deleted').click()
    await until('the time is back', async () => (await entriesOf(ada, taskId))[0]?.duration === 65)
    await notice(ada).waitFor({ state: 'detached' })

    await bob.keyboard.press('Escape')
    await press(ada, 'Delete Task')
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete Task' }).click()
    await shows(bob, 'To Do', ['Two'])
    await undoIn(ada, 'Task Deleted').waitFor()
    await addTask(ada, 'Done', 'Three')
    await toast(ada, 'Task Created')
    await pressed(ada, button(ada, 'Dismiss'))
    await ada.getByText('Task Created').waitFor({ state: 'detached' })
    // A later notice hides it only for as long as that is there.
    await pressed(ada, undoIn(ada, 'Task Deleted'))
    await shows(bob, 'To Do', ['One', 'Two'])
  })
})

const entriesOf = async (page: Page, taskId: number): Promise<{ id: number; duration: number }[]> =>
  (await page.request.get(`/api/time-entries/task/${taskId}`)).json()

inChromium('a task that one leaves', (site) => {
  const close = {
    'its cross': (page: Page) => button(page.getByRole('dialog').page(), 'Close').last().click(),
    Escape: (page: Page) => page.keyboard.press('Escape'),
    'a click beside it': (page: Page) => page.mouse.click(4, 400),
    'the browser’s Back': (page: Page) => page.goBack(),
    'a link in it': (page: Page) => page.getByRole('dialog').getByRole('link', { name: 'Gil' }).first().click(),
  }

  test(`is saved by whatever closes it: ${Object.keys(close).join(', ')}`, async () => {
    const { ada, bob, boardId, taskId } = await site.sharedBoard(['gil', 'hob'], ['One'])
    await ada.request.post(`/api/tasks/${taskId}/comments`, { data: { content: 'Mind the roots' } })
    let nth = 0
    for (const [way, go] of Object.entries(close)) {
      nth += 1
      await card(ada, nth === 1 ? 'One' : `By way ${nth - 1}`).click()
      await ada.getByText('Mind the roots').waitFor()
      await title(ada).fill(`By way ${nth}`)
      await ada
        .getByRole('dialog')
        .getByLabel('Status')
        .selectOption(nth % 2 ? 'Done' : 'To Do')
      await go(ada)
      await isClosed(ada)
      await shows(bob, nth % 2 ? 'Done' : 'To Do', [`By way ${nth}`])
      expect([way, (await taskOf(ada, taskId)).title]).toEqual([way, `By way ${nth}`])
    }
    await ada.goto(`/board/${boardId}`)
    await card(ada, `By way ${nth}`).click()
    await ada.getByRole('dialog').getByLabel('Status').selectOption('In Progress')
    await press(ada, 'Discard changes')
    await ada.keyboard.press('Escape')
    await isClosed(ada)
    expect(await taskOf(ada, taskId)).toMatchObject({ status: 'done' })
  })

  test('keeps what cannot be saved, says so, and leads back to it', async () => {
    const { ada, taskId } = await site.ownBoard(['ida', 'jan'], ['One'])
    await card(ada, 'One').click()
    await title(ada).fill('')
    await ada.getByRole('textbox', { name: 'Description' }).fill('half a thought')
    // What can be mended is asked for.
    await ada.keyboard.press('Escape')
    await says(ada, 'Please enter a title for the task.')
    await ada.goBack()
    await isClosed(ada)
    await toast(ada, 'Not Saved', 'Your changes to “One” are kept as a draft.')
    await press(ada, 'Open the task')
    expect(await ada.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('half a thought')
    await title(ada).fill('Uno')
    await ada.goBack()
    await shows(ada, 'To Do', ['Uno'])
    // The page left may not have sent it yet: the next one does.
    await ada.reload()
    await shows(ada, 'To Do', ['Uno'])
    const saved = await until('the task is saved', async () => {
      const task = await taskOf(ada, taskId)
      return task.title === 'Uno' && task
    })
    expect(saved).toMatchObject({ description: 'half a thought' })
  })
})

const taskOf = async (page: Page, taskId: number) => (await page.request.get(`/api/tasks/${taskId}`)).json()

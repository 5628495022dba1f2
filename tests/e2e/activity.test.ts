import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { inChromium, sharedBoard } from '../support/chromium'
import { card, column, enter, hasFocus, heldBack, isOn, leave } from '../support/page'

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Activity' })
const openSheet = (page: Page) => page.getByRole('button', { name: 'Activity' }).click()
const lines = async (page: Page) =>
  (await page.getByRole('dialog').getByRole('listitem').locator('p:first-child').allTextContents()).map((text) => text.trim())

inChromium('activity', (site) => {
  test('is followed live on the board and in the dialog of a task, and leads to it', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['abe', 'bea'], ['One', 'Two'], { bob: { reducedMotion: 'reduce' } })
    const [one, two] = await Promise.all(['One', 'Two'].map((title) => card(ada, title).getAttribute('data-task')))
    const change = (page: Page, id: typeof one, data: object) => page.request.patch(`/api/tasks/${id}`, { data })

    await openSheet(ada)
    await sheet(ada).getByText('created the board').waitFor()
    expect(await sheet(ada).getByRole('heading', { level: 3 }).allTextContents()).toEqual(['Today'])
    expect(await lines(ada)).toEqual([
      'Abe created “Two”',
      'Abe created “One”',
      'Abe added Bea to the board',
      'Abe created the board',
    ])

    // What one does within minutes, and again, is one line.
    for (const status of ['inprogress', 'done']) await change(bob, one, { status })
    for (const title of ['First', 'Number one']) await change(bob, one, { title })
    await sheet(ada).getByText('renamed “Number one” from “One”').waitFor()
    expect((await lines(ada)).slice(0, 3)).toEqual([
      'Bea renamed “Number one” from “One”',
      'Bea moved “One” from To Do to Done',
      'Abe created “Two”',
    ])
    await findsNothing(ada, 'the activity of a board')

    await sheet(ada).getByRole('link', { name: '“Number one”' }).click()
    const dialog = ada.getByRole('dialog', { name: 'Number one' })
    await dialog.waitFor()
    await sheet(ada).waitFor({ state: 'detached' })
    expect(new URL(ada.url()).hash).toBe(`#task-${one}`)
    await hasFocus(dialog.or(dialog.locator('*')))

    const asked: string[] = []
    ada.on('request', (request) => request.url().includes('activity') && asked.push(request.url()))
    const section = dialog.getByRole('region', { name: 'Activity' })
    expect([await section.getByRole('list').count(), asked]).toEqual([0, []])
    await section.getByRole('button', { name: 'Activity' }).click()
    await section.getByText('created the task').waitFor()
    await change(bob, two, { title: 'Second' })
    await change(bob, one, { tags: ['ink', 'print'], dueDate: '2031-03-09' })
    await section.getByText('tagged the task with “ink” and “print”').waitFor()
    await section.getByText('set the due date of the task to Mar 9, 2031').waitFor()
    expect(await section.getByText('Second').count()).toBe(0)
    await findsNothing(ada, 'the activity of a task')
    await leave(dialog)

    // A task that is gone is no link any more; who brought it back is told too.
    await openSheet(ada)
    await sheet(ada).getByRole('link', { name: '“Second”' }).waitFor()
    await ada.request.delete(`/api/tasks/${two}`)
    await sheet(ada).getByText('Abe deleted “Second”').waitFor()
    await sheet(ada).getByRole('link', { name: '“Second”' }).first().waitFor({ state: 'detached' })
    await ada.request.post(`/api/tasks/${two}/restore`)
    await sheet(ada).getByText('Abe restored “Second”').waitFor()
    await leave(sheet(ada))
    await isOn(ada, 'Activity')
    expect(boardId).toBeGreaterThan(0)
  })

  test('of a task that was just created goes on when the task is stored', async () => {
    const { ada, bob } = await site.sharedBoard(['ayla', 'boris'], [])
    const release = await heldBack(ada, 'tasks.create')
    await column(ada, 'To Do').getByRole('button', { name: 'Add Task' }).click()
    const line = ada.getByRole('textbox', { name: 'Task Title' })
    await enter(line, 'New one')
    await card(ada, 'New one').waitFor()
    await line.press('Escape')
    await card(ada, 'New one').click()
    const dialog = ada.getByRole('dialog', { name: 'New one' })
    await dialog.getByRole('button', { name: 'Activity' }).click()
    await release()
    await dialog.getByText('created the task').waitFor()
    const id = await card(bob, 'New one').getAttribute('data-task')
    await bob.request.patch(`/api/tasks/${id}`, { data: { status: 'done' } })
    await dialog.getByText('moved the task from To Do to Done').waitFor()
  })

  test('goes on in parts, has a way out where it cannot be read, and catches up after the line was down', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    const titles = Array.from({ length: 32 }, (_, n) => `Task ${n}`)
    const boardId = await sharedBoard(ada, bob, ['ann', 'ben'], titles)
    await bob.route(/activity\.board/, (route) => route.abort())
    await openSheet(bob)
    await sheet(bob).getByRole('alert').getByText('The activity could not be loaded.').waitFor()
    await bob.unroute(/activity\.board/)
    await sheet(bob).getByRole('button', { name: 'Try again' }).click()
    await sheet(bob).getByText('created “Task 31”').waitFor()
    expect((await lines(bob)).length).toBe(30)

    await sheet(bob).getByRole('button', { name: 'Load more' }).click()
    await sheet(bob).getByText('created the board').waitFor()
    expect((await lines(bob)).length).toBe(34)
    expect(await sheet(bob).getByRole('button', { name: 'Load more' }).count()).toBe(0)

    await bob.context().setOffline(true)
    await ada.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Meanwhile' } })
    await bob.context().setOffline(false)
    await sheet(bob).getByText('created “Meanwhile”').waitFor()
    // What was read below is still there.
    expect((await lines(bob)).length).toBe(35)
    await sheet(bob).getByText('created the board').waitFor()
  })
})

import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { inChromium } from '../support/chromium'
import { button, card, column, dialog, enter, keys, leave, press, shows, toast, type } from '../support/page'
import { until } from '../support/until'

const line = (page: Page) => page.getByRole('textbox', { name: 'Task Title' })
const add = (page: Page, label: string) => column(page, label).getByRole('button', { name: 'Add Task' }).click()
const chip = (page: Page, label: string) => button(page, `${label}: keep as plain text`)
/** What Safari sends when Enter confirms a conversion: the composition has ended before the key. */
const confirmConversion = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement
    field?.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    field?.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '日本' }))
    const key = { key: 'Enter', code: 'Enter', keyCode: 229, bubbles: true, cancelable: true }
    field?.dispatchEvent(new KeyboardEvent('keydown', key))
  })
const isFocused = (page: Page, what: string) =>
  page.waitForFunction((part) => document.querySelector(':focus')?.textContent === part, what)

const NO_ROOM = 'This board has reached its limit of 20,000 tasks. Delete some first.'

inChromium('the line in which tasks are added', (site) => {
  test('goes on after Enter; understands who, what and when, unless one takes it back; Escape leaves it', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['ana', 'ben'], ['One'])
    await add(ada, 'In Progress')
    await enter(line(ada), 'Two')
    await shows(bob, 'In Progress', ['Two'])
    await ada.keyboard.type('Three #print 3 dec @b')
    await ada.getByRole('listbox', { name: 'Members to assign' }).getByText('Ben', { exact: true }).waitFor()
    await ada.keyboard.press('Enter')
    for (const label of ['@Ben', '#print', 'Dec 3']) await chip(ada, label).waitFor()
    await findsNothing(ada, 'the line')
    await ada.emulateMedia({ colorScheme: 'dark' })
    await findsNothing(ada, 'the line, dark')
    await chip(ada, '#print').click()
    await chip(ada, '#print').waitFor({ state: 'detached' })
    expect(await line(ada).inputValue()).toBe('Three #print 3 dec @ben ')
    await keys(ada, 'Backspace', 'Backspace')
    await chip(ada, '@Ben').waitFor({ state: 'detached' })
    expect(await line(ada).inputValue()).toBe('Three #print 3 dec @ben')
    await ada.keyboard.type(' @me today')
    await chip(ada, '@Ana').waitFor()
    await ada.keyboard.press('Escape')
    await type(ada, ' tomorrow', 'Enter')
    await shows(bob, 'In Progress', ['Two', 'Three #print 3 dec @ben today'])
    const made = (await (await bob.request.get(`/api/boards/${boardId}/tasks`)).json()).at(-1)
    expect(made).toMatchObject({ tags: [], assignees: [{ username: 'ana' }], status: 'inprogress' })
    expect(made.dueDate).not.toBeNull()

    await line(ada).fill('half a thought')
    await ada.keyboard.press('Escape')
    await isFocused(ada, 'Add Task')
    await ada.reload()
    await add(ada, 'In Progress')
    await ada.keyboard.type(', a whole one')
    expect(await line(ada).inputValue()).toBe('half a thought, a whole one')
  })

  test('and a name of a board are not taken by the Enter that confirms a conversion, in the order of Safari either', async () => {
    const { ada, boardId } = await site.ownBoard(['jun', 'kei'], [])
    await add(ada, 'To Do')
    await line(ada).fill('日本')
    await confirmConversion(ada)
    await ada.keyboard.press('ArrowRight')
    expect(await line(ada).inputValue()).toBe('日本')
    await ada.keyboard.press('Enter')
    await shows(ada, 'To Do', ['日本'])
    await ada.keyboard.press('Escape')
    await press(ada, 'Edit board name')
    const name = ada.getByRole('textbox', { name: 'Board name' })
    await name.fill('日本')
    await confirmConversion(ada)
    expect(await name.inputValue()).toBe('日本')
    await ada.keyboard.press('Enter')
    await ada.getByRole('heading', { name: '日本' }).waitFor()
    const tasks = await until('a task is saved', async () => {
      const saved = await (await ada.request.get(`/api/boards/${boardId}/tasks`)).json()
      return saved.length > 0 && saved
    })
    expect(tasks).toHaveLength(1)
  })

  test('makes a task of each pasted line; what the server refuses stays in it, and says why', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['cai', 'dot'], [], { seenBy: ['bob'] })
    await ada.goto(`/board/${boardId}`)
    await button(ada, 'Add Task').first().waitFor()
    await ada.keyboard.press('c')
    await button(ada, 'Close new task').waitFor()
    await type(ada, '- Dg', 'ArrowLeft')
    await ada.keyboard.type('i')
    expect(await line(ada).inputValue()).toBe('- Dig')
    await line(ada).fill('- Dig\n- Sow #spring\n\n- Reap')
    await ada.getByText('Enter adds 3 tasks').waitFor()
    await ada.keyboard.press('Enter')
    await shows(bob, 'To Do', ['Dig', 'Sow', 'Reap'])
    await card(bob, 'Sow').getByText('spring').waitFor()
    await ada.route('**/trpc/tasks.create*', (route) => {
      const isFull = route.request().postData()?.includes('Rake') === false
      const data = { message: NO_ROOM, code: 'CONFLICT', httpStatus: 409 }
      return isFull ? route.fulfill({ status: 409, json: { error: { message: NO_ROOM, code: -32009, data } } }) : route.continue()
    })
    await enter(line(ada), 'Rake\nMow @dot\nWeed')
    await ada.getByText('1 of 3 added. The rest are still here.').waitFor()
    await toast(ada, 'Creation Failed', NO_ROOM)
    expect(await line(ada).inputValue()).toBe('Mow @dot\nWeed')
    await shows(ada, 'To Do', ['Dig', 'Sow', 'Reap', 'Rake'])
    await line(ada).fill('x\n'.repeat(101))
    await ada.getByText('At most 100 tasks at once (you have 101)').waitFor()
  })

  test('keeps what is typed after what the server refuses, although it was closed by then', async () => {
    const { ada } = await site.ownBoard(['cas', 'cem'], [])
    await add(ada, 'To Do')
    const refused = Promise.withResolvers<void>()
    await ada.route('**/trpc/tasks.create*', async (route) => {
      await refused.promise
      const data = { message: NO_ROOM, code: 'CONFLICT', httpStatus: 409 }
      await route.fulfill({ status: 409, json: { error: { message: NO_ROOM, code: -32009, data } } })
    })
    await enter(line(ada), 'One')
    await shows(ada, 'To Do', ['One'])
    await type(ada, 'Two', 'Escape')
    await line(ada).waitFor({ state: 'detached' })
    refused.resolve()
    await toast(ada, 'Creation Failed', NO_ROOM)
    await add(ada, 'To Do')
    expect(await line(ada).inputValue()).toBe('One\nTwo')
  })

  test('hands what was typed to the dialog with all fields, which assigns oneself first', async () => {
    const { ada, bob } = await site.sharedBoard(['eva', 'fox'], ['One'])
    await add(ada, 'Done')
    await line(ada).fill('Two @fox #print 2031-03-09')
    await ada.getByRole('form', { name: 'New task' }).getByRole('button', { name: 'Create New Task' }).click()
    const form = dialog(ada, 'Create New Task')
    expect(await form.getByLabel('Task Title').inputValue()).toBe('Two')
    expect(await form.getByLabel('Status').inputValue()).toBe('done')
    await form.getByRole('button', { name: 'Remove Fox' }).waitFor()
    await form.getByRole('button', { name: 'Assign to me' }).click()
    await form.getByRole('button', { name: 'Remove Fox' }).click()
    await form.getByRole('combobox', { name: 'Assignees' }).selectOption('Fox')
    await findsNothing(ada, 'the dialog of a new task')
    await form.getByRole('button', { name: 'Create Task' }).click()
    await shows(bob, 'Done', ['Two'])
    for (const name of ['Eva', 'Fox']) await card(bob, 'Two').getByTitle(name).waitFor()
    await card(bob, 'Two').getByText('print').waitFor()
  })

  test('adds what was typed to what the dialog still holds', async () => {
    const { ada } = await site.sharedBoard(['eda', 'fay'], [], { seenBy: ['ada'] })
    const form = dialog(ada, 'Create New Task')
    await column(ada, 'Done').getByRole('button', { name: 'Create New Task' }).click()
    await form.getByLabel('Due date').fill('2031-03-09')
    await form.getByRole('button', { name: 'Assign to me' }).click()
    await enter(form.getByLabel('Tags'), 'print')
    await leave(form)
    await add(ada, 'Done')
    await line(ada).fill('Two @fay #paper #print')
    await ada.getByRole('form', { name: 'New task' }).getByRole('button', { name: 'Create New Task' }).click()
    for (const held of ['the tag print', 'the tag paper', 'Eda', 'Fay', 'the due date'])
      await form.getByRole('button', { name: `Remove ${held}`, exact: true }).waitFor()
    expect(await form.getByRole('textbox', { name: 'Due date' }).inputValue()).toBe('Mar 9, 2031')
  })

  test('works without a connection', async () => {
    const { ada, bob } = await site.sharedBoard(['gus', 'hay'], ['One'])
    await add(ada, 'To Do')
    await ada.locator('form[aria-label="New task"]:not([aria-busy])').waitFor()
    await ada.context().setOffline(true)
    await enter(line(ada), 'Two @hay\nThree')
    await shows(ada, 'To Do', ['One', 'Two', 'Three'])
    await card(ada, 'Two').getByTitle('Hay').waitFor()
    await ada.context().setOffline(false)
    await shows(bob, 'To Do', ['One', 'Two', 'Three'])
    await card(bob, 'Two').getByTitle('Hay').waitFor()
  })
})

import { expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { addTask, answerHeld, card, column, dialog, enter, heldBack, leave, press, shows, toast } from '../support/page'

inChromium('what is typed', (site) => {
  test('is not overwritten by what someone else saves meanwhile, and does not overwrite it unasked', async () => {
    const { ada, bob, taskId: id } = await site.sharedBoard(['tia', 'uwe'], ['One'])
    await card(ada, 'One').click()
    const title = ada.getByRole('textbox', { name: 'Title' })
    const description = ada.getByRole('textbox', { name: 'Description' })
    await title.fill('Mine')
    await description.fill('My words')
    await bob.request.patch(`/api/tasks/${id}`, { data: { title: 'Theirs', description: 'Their words' } })
    await ada.getByText('Uwe changed this to “Theirs” while you were editing.').waitFor()
    expect(await ada.getByRole('button', { name: 'Save & Close' }).isDisabled()).toBe(true)
    // Whoever changes something else.
    await ada.request.patch(`/api/tasks/${id}`, { data: { tags: ['print'] } })
    await ada.getByRole('button', { name: 'Remove the tag print' }).waitFor()
    expect(await ada.getByText('Uwe changed this').count()).toBe(2)
    await ada.getByRole('button', { name: 'Keep mine' }).first().click()
    await ada.getByRole('button', { name: 'Take theirs' }).click()
    expect(await title.inputValue()).toBe('Mine')
    await ada.getByRole('dialog').getByText('Their words').waitFor()
    await ada.getByRole('button', { name: 'Save & Close' }).click()
    await shows(bob, 'To Do', ['Mine'])
  })

  test('into a task that is opened again before it is saved stays, and only that', async () => {
    const { ada } = await site.ownBoard(['una', 'udo'], ['One'])
    const title = ada.getByRole('textbox', { name: 'Title' })
    const description = ada.getByRole('textbox', { name: 'Description' })
    await card(ada, 'One').click()
    await title.fill('First')
    await description.fill('All of it')
    const held = await answerHeld(ada, 'tasks.update')
    await ada.getByRole('button', { name: 'Save & Close' }).click()
    await card(ada, 'First').click()
    await title.fill('First and more')
    const settled = ada.waitForResponse('**/trpc/tasks.update*')
    await held.given
    held.release()
    await settled
    await ada.waitForFunction(() => JSON.stringify(Object.values(sessionStorage)).includes('All of it') === false)
    expect(await title.inputValue()).toBe('First and more')
    expect(await ada.getByText('while you were editing').count()).toBe(0)
    await ada.getByRole('button', { name: 'Save & Close' }).click()
    await shows(ada, 'To Do', ['First and more'])
  })

  test('into a comment that is edited again before it is saved stays', async () => {
    const { ada, taskId } = await site.ownBoard(['ulf', 'ute'], ['One'])
    await ada.request.post(`/api/tasks/${taskId}/comments`, { data: { content: 'First' } })
    await card(ada, 'One').click()
    const comment = ada.getByRole('list', { name: 'Comments' }).getByRole('listitem')
    const editor = ada.getByRole('textbox', { name: 'Edit comment' })
    const edit = async () => {
      await comment.hover()
      await ada.locator('[aria-label="Edit comment"]:not([aria-disabled])').click()
    }
    const held = await answerHeld(ada, 'comments.update')
    await edit()
    await enter(editor, 'Second', 'Control+Enter')
    await edit()
    await editor.fill('Second and more')
    await held.given
    held.release()
    await toast(ada, 'Comment Updated')
    expect(await editor.inputValue()).toBe('Second and more')
    await editor.press('Control+Enter')
    await comment.getByText('Second and more').waitFor()
  })

  test('into a form that is opened again before it is answered stays', async () => {
    const { ada } = await site.ownBoard(['ulla', 'uwe2'], ['One'])
    const again = async (call: string, open: () => Promise<void>, form: Locator, field: Locator) => {
      const held = await answerHeld(ada, call)
      await open()
      await field.fill('First')
      await form.locator('[type=submit]').click()
      await held.given
      await leave(form)
      await open()
      await field.fill('Second')
      held.release()
      await form.waitFor({ state: 'detached' })
      await open()
      expect(await field.inputValue()).toBe('Second')
      await leave(form)
    }
    const task = dialog(ada, 'Create New Task')
    const createTask = () => column(ada, 'To Do').getByRole('button', { name: 'Create New Task' }).click()
    await again('tasks.create', createTask, task, task.getByLabel('Task Title'))
    await card(ada, 'One').click()
    const time = dialog(ada, 'Add Time Entry')
    await again('time.create', () => press(ada, 'Add Time Entry'), time, time.getByLabel('Notes'))
  })

  test('as a title after one that is refused stays', async () => {
    const { ada } = await site.ownBoard(['ugo', 'uma'], ['One'])
    const refused = Promise.withResolvers<void>()
    await ada.route('**/trpc/tasks.update*', async (route) => {
      await refused.promise
      const data = { message: 'No', code: 'CONFLICT', httpStatus: 409 }
      await route.fulfill({ status: 409, json: { error: { message: 'No', code: -32009, data } } })
    })
    const title = ada.getByRole('textbox', { name: 'Title' })
    await card(ada, 'One').focus()
    await ada.keyboard.press('e')
    await enter(title, 'First')
    await card(ada, 'First').focus()
    await ada.keyboard.press('e')
    await title.fill('Second')
    refused.resolve()
    await toast(ada, 'Update Failed')
    expect(await title.inputValue()).toBe('Second')
  })

  test('into a task that someone else deletes can be copied', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['vic', 'wim'], [], {
      ada: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    const task = await (await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'One' } })).json()
    await card(ada, 'One').click()
    await ada.getByRole('textbox', { name: 'Description' }).fill('half a thought')
    await bob.request.delete(`/api/tasks/${task.id}`)
    await ada.getByRole('button', { name: 'Copy my text' }).click()
    await toast(ada, 'Copied')
    expect(await ada.evaluate(() => navigator.clipboard.readText())).toBe('half a thought')
  })

  test('as a tag is added by Escape, too', async () => {
    const { ada, bob } = await site.sharedBoard(['vera', 'veit'], ['One'])
    await card(ada, 'One').click()
    await ada.getByPlaceholder('Add a tag').pressSequentially('urgent')
    await ada.keyboard.press('Escape')
    await card(bob, 'One').getByText('urgent').waitFor()
  })

  test('into a board’s description is saved by going back, and nobody is said to be editing it', async () => {
    const { ada, bob } = await site.sharedBoard(['viola', 'vasco'], ['One'])
    await ada.getByRole('link', { name: 'wrk dashboard' }).click()
    await ada.getByRole('main').getByRole('link', { name: 'Spring catalogue' }).click()
    await press(ada, 'Edit board description')
    await ada.getByRole('textbox', { name: 'Board description' }).fill('All pages')
    await bob.getByText('is editing the description').waitFor()
    await ada.goBack()
    await bob.getByText('All pages').waitFor()
    await bob.getByText('is editing the description').waitFor({ state: 'detached' })
  })

  test('while an invitation is sent stays', async () => {
    const { ada } = await site.ownBoard(['wera', 'will'], ['One'])
    await press(ada, 'Invite Members')
    const field = ada.getByRole('textbox', { name: 'Email address or username' })
    const held = await answerHeld(ada, 'boards.addMember')
    await enter(field, 'first@example.com')
    await held.given
    await field.fill('second@example.com')
    held.release()
    await ada.getByText('first@example.com').first().waitFor()
    expect(await field.inputValue()).toBe('second@example.com')
  })

  test('by someone who is removed can be copied', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['wanja', 'wolf'], ['One'], {
      bob: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    await card(bob, 'One').click()
    await bob.getByRole('textbox', { name: 'Description' }).fill('half a thought')
    await bob.getByRole('textbox', { name: 'New comment' }).fill('a comment under way')
    const { id } = await (await bob.request.get('/api/auth/me')).json()
    await ada.request.delete(`/api/boards/${boardId}/members/${id}`)
    await bob.waitForURL('**/')
    await press(bob, 'Copy my text')
    await toast(bob, 'Copied')
    expect(await bob.evaluate(() => navigator.clipboard.readText())).toBe('half a thought\n\na comment under way')
  })

  test('into a task before the server has named it is no draft once it is saved', async () => {
    const { ada, bob } = await site.sharedBoard(['xaver', 'xandra'], ['One'])
    const release = await heldBack(ada, 'tasks.create')
    await addTask(ada, 'To Do', 'Three')
    await card(ada, 'Three').click()
    await ada.getByRole('textbox', { name: 'Description' }).fill('My words')
    await ada.getByRole('textbox', { name: 'New comment' }).fill('My comment')
    await press(ada, 'Send')
    await press(ada, 'Save & Close')
    await release()
    await card(bob, 'Three').getByTitle('1 comment').waitFor()
    await ada.waitForFunction(() => !/My words|My comment/.test(JSON.stringify(Object.values(sessionStorage))))
  })

  test('is refused at its field and kept; a toast does not take Escape from the dialog', async () => {
    const { ada } = await site.ownBoard(['xia', 'yan'], [])
    await column(ada, 'Done').getByRole('button', { name: 'Create New Task' }).click()
    await ada.getByRole('dialog').getByRole('button', { name: 'Create Task' }).click()
    await toast(ada, 'Title Required', 'Please enter a title for the task.')
    await ada.getByRole('dialog').getByLabel('Task Title').fill('x'.repeat(20_000))
    await ada.getByText('Must be at most 255 characters (you have 20,000)').waitFor()
    await leave(ada.getByRole('dialog'))
    await ada.reload()
    await column(ada, 'Done').getByRole('button', { name: 'Create New Task' }).click()
    expect((await ada.getByRole('dialog').getByLabel('Task Title').inputValue()).length).toBe(20_000)
  })
})

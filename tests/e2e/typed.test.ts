import { expect, test } from 'bun:test'
import { inChromium } from '../support/chromium'
import { answerHeld, card, column, leave, shows, toast } from '../support/page'

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

import { expect, test } from 'bun:test'
import { inChromium, sharedBoard } from '../support/chromium'
import { card, column, shows } from '../support/page'

inChromium('due dates and tags', (site) => {
  test('are set as a task is made and in its dialog, and seen by others at once', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    await sharedBoard(ada, bob, ['fay', 'gil'], ['One'])
    await column(ada, 'To Do').getByRole('button', { name: 'Add Task' }).click()
    const making = ada.getByRole('dialog', { name: 'Create New Task' })
    await making.getByLabel('Task Title').fill('Two')
    await making.getByLabel('Due date').fill('2031-03-09')
    await making.getByRole('combobox', { name: 'Tags (optional)' }).fill('print')
    await ada.keyboard.press('Enter')
    await making.getByRole('combobox', { name: 'Tags (optional)' }).fill('half-typed')
    await making.getByRole('button', { name: 'Create Task' }).click()
    await card(bob, 'Two').getByText('Mar 9').waitFor()
    for (const tag of ['print', 'half-typed']) await card(bob, 'Two').getByText(tag).waitFor()

    await card(bob, 'Two').click()
    const open = bob.getByRole('dialog')
    await open.getByRole('button', { name: 'Remove the tag half-typed' }).click()
    await open.getByRole('combobox', { name: 'Tags' }).fill('ink, paper,print')
    await bob.keyboard.press('Enter')
    await open.getByRole('button', { name: 'Remove the due date' }).click()
    await card(ada, 'Two').getByText('paper').waitFor()
    await card(ada, 'Two').getByText('half-typed').waitFor({ state: 'detached' })
    await card(ada, 'Two').getByText('Mar 9').waitFor({ state: 'detached' })
    // Typed by keyboard, a year is stored once it is whole.
    await open.getByLabel('Due date').click()
    await open.getByLabel('Due date').pressSequentially('12242032')
    await card(ada, 'Two').getByText('Dec 24').waitFor()
    expect(await card(ada, 'Two').locator('time').getAttribute('datetime')).toBe('2032-12-24')
  })

  test('a filter shows what has to do with it, and moving a card among what is shown keeps the others’ order', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    const boardId = await sharedBoard(ada, bob, ['hal', 'ina'], ['a 1', 'b 1', 'a 2', 'b 2'])
    await ada.keyboard.press('/')
    await ada.keyboard.type('a ')
    await shows(ada, 'To Do', ['a 1', 'a 2'])
    await ada.getByText('2 of 4 tasks').waitFor()
    await card(ada, 'a 2').focus()
    for (const key of ['Space', 'ArrowUp', 'Space']) await ada.keyboard.press(key)
    await shows(bob, 'To Do', ['a 2', 'a 1', 'b 1', 'b 2'])
    await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'a 3' } })
    await shows(ada, 'To Do', ['a 2', 'a 1', 'a 3'])
    await ada.getByLabel('Due date').selectOption('Overdue')
    await column(ada, 'To Do').getByText('No tasks match the filter').waitFor()
    await ada.getByRole('button', { name: 'Clear' }).click()
    await shows(ada, 'To Do', ['a 2', 'a 1', 'b 1', 'b 2', 'a 3'])
  })
})

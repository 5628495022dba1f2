import { expect, test } from 'bun:test'
import { inChromium, sharedBoard } from '../support/chromium'
import { card, column, cutOff, shows, toast } from '../support/page'

inChromium('two people on one board', (site) => {
  test('register, share a board, and see each other create, edit, order, move and delete', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    for (const [page, name] of [
      [ada, 'ada'],
      [bob, 'bob'],
    ] as const) {
      await page.goto('/')
      await page.getByRole('link', { name: 'Get Started' }).first().click()
      await page.getByRole('tab', { name: /register/i }).click()
      await page.getByLabel('Username').fill(name === 'ada' ? 'Ada L' : 'bob')
      await page
        .getByLabel(/e-?mail/i)
        .first()
        .fill(`${name}@studio.example`)
      await page.getByLabel('Password', { exact: true }).fill('correct horse')
      await page.getByRole('button', { name: /register|create account/i }).click()
      await page.getByText(`Welcome, ${name === 'ada' ? 'adal' : 'bob'}`).waitFor()
      await page.getByText('Free Plan').waitFor()
      await page.getByText('No boards yet').first().waitFor()
    }

    await ada.getByRole('button', { name: 'Create Board' }).click()
    await ada.getByLabel('Board Name').fill('Spring catalogue')
    await ada.getByRole('dialog').getByRole('button', { name: 'Create Board' }).click()
    await ada.getByRole('heading', { name: 'Spring catalogue' }).waitFor()
    await ada.getByRole('button', { name: 'Invite Members' }).click()
    await ada.getByLabel('E-mail address').fill('bob@studio.example')
    await ada.keyboard.press('Enter')
    await toast(ada, 'Invitation Sent', 'bob@studio.example has been invited to the board.')
    await ada.keyboard.press('Escape')

    await bob
      .getByRole('main')
      .getByRole('link', { name: /Spring catalogue/ })
      .click()
    await column(bob, 'To Do').getByRole('button', { name: 'Add Task' }).click()
    await bob.getByLabel('Task Title').fill('Order paper')
    await bob.getByRole('button', { name: 'Create Task' }).click()
    await shows(ada, 'To Do', ['Order paper'])

    await column(ada, 'In Progress').getByRole('button', { name: 'Add Task' }).click()
    await ada.getByLabel('Task Title').fill('Proof the cover')
    await ada.getByRole('button', { name: 'Create Task' }).click()
    await shows(bob, 'In Progress', ['Proof the cover'])

    await card(bob, 'Order paper').dragTo(card(bob, 'Proof the cover'), { targetPosition: { x: 20, y: 4 } })
    await shows(ada, 'In Progress', ['Order paper', 'Proof the cover'])
    await card(ada, 'Order paper').dragTo(card(ada, 'Proof the cover'), { targetPosition: { x: 20, y: 40 } })
    await shows(bob, 'In Progress', ['Proof the cover', 'Order paper'])

    await card(ada, 'Order paper').click()
    await ada.getByRole('dialog').getByLabel('Title').fill('Order heavy paper')
    await ada.getByRole('dialog').getByLabel('Status').selectOption('Done')
    await ada.getByRole('button', { name: 'Save & Close' }).click()
    await shows(bob, 'Done', ['Order heavy paper'])

    await card(bob, 'Order heavy paper').click()
    await bob.getByRole('button', { name: 'Manage' }).click()
    await bob.getByRole('button', { name: /adal.*Creator/ }).click()
    await bob.getByRole('button', { name: 'Unassign adal' }).waitFor()
    await ada.getByRole('button', { name: 'Order heavy paper, adal' }).waitFor()
    await bob.getByRole('button', { name: 'Delete Task' }).click()
    await shows(ada, 'Done', [])
    await toast(bob, 'Task Deleted')
    await bob.getByRole('button', { name: 'Undo' }).click()
    await toast(bob, 'Task Restored')
    await shows(ada, 'Done', ['Order heavy paper'])
    await ada.getByRole('button', { name: 'Order heavy paper, adal' }).waitFor()
    await card(bob, 'Order heavy paper').click()
    await bob.getByRole('button', { name: 'Delete Task' }).click()
    await shows(ada, 'Done', [])
    await column(ada, 'Done').getByText('No tasks in this column').waitFor()
  })

  test('whoever is removed, or whose board is deleted, is told and led home', async () => {
    const [ada, bob, cleo] = await Promise.all([site.open('ada'), site.open('bob'), site.open('cleo')])
    const boardId = await sharedBoard(ada, bob, ['ann', 'ben'], ['One'])
    const joining = await cleo.request.post('/api/auth/register', {
      data: { username: 'cleo', email: 'cleo@example.com', password: 'correct horse' },
    })
    expect(joining.status()).toBe(201)
    await ada.request.post(`/api/boards/${boardId}/members`, { data: { username: 'cleo' } })
    await toast(bob, 'New Member', 'cleo has joined the board.')
    await cleo.goto(`/board/${boardId}`)
    await shows(cleo, 'To Do', ['One'])

    await ada.getByRole('button', { name: 'Invite Members' }).click()
    await ada.getByRole('button', { name: 'Remove cleo' }).click()
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Remove Member' }).click()
    await toast(cleo, 'Access Removed', 'You no longer have access to this board.')
    await cleo.getByText('No boards yet').first().waitFor()
    await cleo.goto(`/board/${boardId}`)
    await cleo.getByText("The board you're looking for doesn't exist or you don't have access to it.").waitFor()

    await ada.keyboard.press('Escape')
    await ada.getByRole('button', { name: 'Delete Board' }).click()
    await ada.getByText('This action cannot be undone. This will permanently delete the board').waitFor()
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete Board' }).click()
    await toast(ada, 'Board Deleted', 'The board has been deleted successfully.')
    await toast(bob, 'Board Deleted', 'This board has been deleted by its creator.')
    await bob.getByText('No boards yet').first().waitFor()
  })

  test('who was cut off says so, comes back by itself, and has missed nothing', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    const cut = await cutOff(bob)
    const boardId = await sharedBoard(ada, bob, ['anna', 'bert'], ['One', 'Two'])
    await ada.request.patch(`/api/boards/${boardId}`, { data: { name: 'Autumn catalogue' } })
    await bob.getByRole('heading', { name: 'Autumn catalogue' }).waitFor()

    await cut()
    await bob.getByText('Reconnecting…').waitFor()
    await card(ada, 'One').dragTo(column(ada, 'Done').getByRole('heading'))
    await shows(ada, 'Done', ['One'])
    await shows(bob, 'Done', ['One'])
    await bob.getByText('Reconnecting…').waitFor({ state: 'detached' })
    await shows(bob, 'To Do', ['Two'])
  })

  test('a change that is refused goes back to where it was, and says so', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    await sharedBoard(ada, bob, ['adele', 'boris'], ['One', 'Two'])
    await ada.route('**/trpc/tasks.update*', (route) => route.abort())
    await card(ada, 'One').dragTo(column(ada, 'Done').getByRole('heading'))
    await toast(ada, 'Error', 'Could not update task status. Please try again.')
    await shows(ada, 'To Do', ['One', 'Two'])
    await shows(ada, 'Done', [])
  })
})

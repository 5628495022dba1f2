import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium, prove, sharedBoard } from '../support/chromium'
import { addTask, button, card, column, cutOff, drag, enter, press, refuseCalls, shows, toast } from '../support/page'
import { PASSWORD } from '../support/people'

inChromium('two people on one board', (site) => {
  async function registerByHand(page: Page, typed: string, address: string, username: string) {
    await page.goto('/')
    await page.getByRole('link', { name: 'Get Started' }).first().click()
    await page.getByLabel('Username').fill(typed)
    await page
      .getByLabel(/e-?mail/i)
      .first()
      .fill(address)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: /register|create account/i }).click()
    await page.getByText(`Welcome, ${username}`).waitFor()
    await page.getByText('Free Plan').waitFor()
    await page.getByText('No boards yet').first().waitFor()
    await prove(page)
  }

  test('register, share a board by hand, and see the tasks that each creates', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    await registerByHand(ada, 'Ada L', 'ada@studio.example', 'adal')
    await registerByHand(bob, 'bob', 'bob@studio.example', 'bob')

    await press(ada, 'Create Board')
    await ada.getByLabel('Board Name').fill('Spring catalogue')
    await ada.getByRole('dialog').getByRole('button', { name: 'Create Board' }).click()
    await ada.getByRole('heading', { name: 'Spring catalogue' }).waitFor()
    await press(ada, 'Invite Members')
    await enter(ada.getByLabel('Email address'), 'bob@studio.example')
    await toast(ada, 'Member Added', 'was added to the board.')
    await ada.keyboard.press('Escape')

    await bob
      .getByRole('main')
      .getByRole('link', { name: /Spring catalogue/ })
      .click()
    await addTask(bob, 'To Do', 'Order paper')
    await shows(ada, 'To Do', ['Order paper'])
    await addTask(ada, 'In Progress', 'Proof the cover')
    await shows(bob, 'In Progress', ['Proof the cover'])
  })

  test('see each other drag cards within a column and across, and edit them', async () => {
    const { ada, bob } = await site.sharedBoard(['cara', 'cobi'], ['Proof the cover', 'Order paper'])
    await drag(card(bob, 'Proof the cover'), column(bob, 'In Progress').getByRole('heading'))
    await shows(ada, 'In Progress', ['Proof the cover'])
    await drag(card(bob, 'Order paper'), card(bob, 'Proof the cover'), { targetPosition: { x: 20, y: 4 } })
    await shows(ada, 'In Progress', ['Order paper', 'Proof the cover'])
    await drag(card(ada, 'Order paper'), card(ada, 'Proof the cover'), { targetPosition: { x: 20, y: 40 } })
    await shows(bob, 'In Progress', ['Proof the cover', 'Order paper'])
    await card(ada, 'Order paper').click()
    await ada.getByRole('dialog').getByLabel('Title').fill('Order heavy paper')
    await ada.getByRole('dialog').getByLabel('Status').selectOption('Done')
    await press(ada, 'Save & Close')
    await shows(bob, 'Done', ['Order heavy paper'])
  })

  test('see each other assign a task, delete it, and bring it back as it was', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['dora', 'dirk'], [])
    await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Order paper' } })
    await card(bob, 'Order paper').click()
    await press(bob, 'Manage')
    await bob.getByRole('button', { name: /Dora.*Creator/ }).click()
    await button(bob, 'Unassign Dora').waitFor()
    await ada.getByRole('button', { name: 'Order paper Dora' }).waitFor()
    await bob.getByRole('button', { name: 'Delete Task' }).click()
    await shows(ada, 'To Do', [])
    await toast(bob, 'Task Deleted')
    await button(bob, 'Undo').last().click()
    await shows(ada, 'To Do', ['Order paper'])
    await ada.getByRole('button', { name: 'Order paper Dora' }).waitFor()
    await card(bob, 'Order paper').click()
    await bob.getByRole('button', { name: 'Delete Task' }).click()
    await shows(ada, 'To Do', [])
    await column(ada, 'To Do').getByText('No tasks in this column').waitFor()
  })

  test('are offered to delete what is their own; the creator of the board, what is of others too', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['elsa', 'emil'], ['Of Elsa'])
    await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Of Emil' } })
    await card(bob, 'Of Elsa').click()
    await button(bob, 'Manage').waitFor()
    expect(await bob.getByRole('button', { name: 'Delete Task' }).count()).toBe(0)
    await card(ada, 'Of Emil').click()
    await ada.getByRole('button', { name: 'Delete Task' }).waitFor()
  })

  test('whoever is removed, or whose board is deleted, is told and led home', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['ann', 'ben'], ['One'])
    const cleo = await site.account('cleo')
    await ada.request.post(`/api/boards/${boardId}/members`, { data: { username: 'cleo' } })
    await toast(bob, 'New Member', 'Cleo has joined the board.')
    await cleo.goto(`/board/${boardId}`)
    await shows(cleo, 'To Do', ['One'])

    await ada.getByRole('button', { name: 'Invite Members' }).click()
    await ada.getByRole('button', { name: 'Remove Cleo' }).click()
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Remove member' }).click()
    await toast(cleo, 'Access Removed', 'You no longer have access to this board.')
    await cleo.getByText('No boards yet').first().waitFor()
    await cleo.goto(`/board/${boardId}`)
    await cleo.getByText("The board you're looking for doesn't exist or you don't have access to it.").waitFor()

    await ada.keyboard.press('Escape')
    await press(ada, 'Delete Board')
    const question = ada.getByRole('alertdialog', { name: 'Delete “Spring catalogue”?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await ada.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Delete Board')
    await ada.keyboard.press('Enter')
    expect(await question.getByRole('paragraph').allTextContents()).toEqual([
      'This action cannot be undone. This will permanently delete the board and all of its tasks and comments. All members will lose access to this board.',
    ])
    await question.getByRole('button', { name: 'Delete Board' }).click()
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
    await drag(card(ada, 'One'), column(ada, 'Done').getByRole('heading'))
    await shows(ada, 'Done', ['One'])
    await shows(bob, 'Done', ['One'])
    await bob.getByText('Reconnecting…').waitFor({ state: 'detached' })
    await shows(bob, 'To Do', ['Two'])
  })

  test('a change that is refused goes back to where it was, and says so', async () => {
    const { ada } = await site.ownBoard(['adele', 'boris'], ['One', 'Two'])
    await refuseCalls(ada, 'tasks.update')
    await drag(card(ada, 'One'), column(ada, 'Done').getByRole('heading'))
    await toast(ada, 'Error', 'Could not update task status. Please try again.')
    await shows(ada, 'To Do', ['One', 'Two'])
    await shows(ada, 'Done', [])
  })
})

import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findsNothingInBoth } from '../support/axe'
import { inChromium } from '../support/chromium'
import { button, card, choose, dialog, leave, press, toast, told } from '../support/page'

const deletedBoards = (page: Page) => page.getByRole('region', { name: 'Deleted boards' })
const ownBoard = (page: Page) => page.getByRole('main').getByRole('link', { name: /Spring catalogue/ })

async function deleteOpenBoard(page: Page) {
  await press(page, 'Delete Board')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Board' }).click()
  await toast(
    page,
    'Board Deleted',
    'The board has been deleted successfully. You can restore it from the dashboard for 30 days.',
  )
}

async function logTime(page: Page, boardId: number, duration: number) {
  const [task] = await (await page.request.get(`/api/boards/${boardId}/tasks`)).json()
  const answer = await page.request.post('/api/time-entries', { data: { taskId: task.id, duration } })
  expect(answer.status()).toBe(201)
}

async function csvFrom(page: Page, start: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), start()])
  return { name: file.suggestedFilename(), text: await Bun.file(await file.path()).text() }
}

inChromium('a deleted board', (site) => {
  test('leaves others their hours, in the notice and on the dashboard, and comes back live for both', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['agnes', 'basil'], ['Order paper'])
    await logTime(bob, boardId, 95)
    await deleteOpenBoard(ada)
    await toast(
      bob,
      'Board Deleted',
      'This board has been deleted by its creator. For 30 days, you can download your hours (1h 35m)',
    )
    await bob.waitForURL((url) => url.pathname === '/')
    const { name, text } = await csvFrom(bob, () => press(bob, 'Download my hours'))
    expect([name, text]).toEqual([
      'Spring catalogue - my hours.csv',
      expect.stringMatching(/Order paper,Basil,"\w+ \d+, \d{4}",95,1h 35m,/),
    ])
    await deletedBoards(bob).getByText('1h 35m logged by you').waitFor()
    // They lie over what is pressed next.
    for (const page of [ada, bob]) await button(page, 'Dismiss').first().click()
    await findsNothingInBoth(bob, 'the dashboard with a deleted board')
    expect(
      await deletedBoards(bob)
        .getByRole('button', { name: /^Restore/ })
        .count(),
    ).toBe(0)
    const again = await csvFrom(bob, () => button(bob, 'Download my hours on Spring catalogue').click())
    expect(again.text).toBe(text)

    await button(ada, 'Restore Spring catalogue').click()
    for (const page of [ada, bob]) {
      await ownBoard(page).waitFor()
      await deletedBoards(page).waitFor({ state: 'detached' })
      await ownBoard(page).click()
      await page.getByText('Order paper').waitFor()
    }
  })

  test('is brought back right from the notice of its deletion, and opens by itself where it was asked for', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['alma', 'bruno'], ['Order paper'])
    // It leaves the sidebar first, and comes back where that failed.
    const inSidebar = ada.getByRole('navigation', { name: 'My Boards' }).getByRole('link', { name: 'Spring catalogue' })
    await ada.route('**/trpc/boards.delete*', async (route) => {
      await ada.waitForFunction(() => !document.querySelector('nav')?.textContent.includes('Spring catalogue'))
      await route.abort()
    })
    await press(ada, 'Delete Board')
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete Board' }).click()
    await told(ada, 'Delete Failed', 'Could not delete the board. Please try again.')
    await ada.getByRole('alertdialog').waitFor({ state: 'detached' })
    await inSidebar.waitFor()
    await ada.unrouteAll({ behavior: 'ignoreErrors' })
    await deleteOpenBoard(ada)
    await toast(bob, 'Board Deleted', 'This board has been deleted by its creator.')
    expect(await button(bob, 'Download my hours').count()).toBe(0)
    await bob.goto(`/board/${boardId}`)
    await bob.getByRole('heading', { name: 'Board Not Found' }).waitFor()
    await press(ada, 'Restore')
    await ownBoard(ada).waitFor()
    await bob.getByText('Order paper').waitFor()
  })

  test('that was restored elsewhere is not restored by the notice of its deletion', async () => {
    const { ada } = await site.ownBoard(['auri', 'boro'], ['Order paper'])
    await deleteOpenBoard(ada)
    await button(ada, 'Restore Spring catalogue').click()
    await ownBoard(ada).waitFor()
    const asked: string[] = []
    ada.on('request', (request) => asked.push(request.url()))
    await press(ada, 'Restore')
    await button(ada, 'Restore').waitFor({ state: 'detached' })
    expect(asked.filter((url) => url.includes('boards.restore'))).toEqual([])
  })

  test('leaves the pages of whoever deletes it elsewhere', async () => {
    const { ada, boardId } = await site.ownBoard(['aurelia', 'boniface'], ['Order paper'])
    const other = await ada.context().newPage()
    await other.goto(`/board/${boardId}`)
    await other.getByText('Order paper').waitFor()
    await deleteOpenBoard(ada)
    await other.waitForURL((url) => url.pathname === '/')
  })

  test('is not brought back on the Free plan beside another one: Pro is offered', async () => {
    const { ada } = await site.ownBoard(['alba', 'bela'], ['Order paper'])
    await deleteOpenBoard(ada)
    expect((await ada.request.post('/api/boards', { data: { name: 'Another' } })).status()).toBe(201)
    await button(ada, 'Restore Spring catalogue').click()
    await dialog(ada, 'Upgrade to Pro').waitFor()
    await press(ada, 'Maybe Later')
    await press(ada, 'Restore')
    await toast(ada, 'Restore Failed', 'Free users can only create 1 board')
    await deletedBoards(ada).waitFor()
  })
})

inChromium('a deleted task', (site) => {
  test('is asked about where something hangs on it, listed in the board menu, and comes back live for both', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['agatha', 'bertram'], ['Order paper', 'Fold it'])
    await logTime(bob, boardId, 95)
    await choose(bob, 'Board menu', 'Deleted tasks')
    await dialog(bob, 'Deleted tasks').getByText('No tasks to restore from the last 30 days.').waitFor()
    await choose(ada, 'Board menu', 'Deleted tasks')
    await card(bob, 'Order paper').waitFor()
    const list = dialog(ada, 'Deleted tasks')
    const [task, other] = await (await bob.request.get(`/api/boards/${boardId}/tasks`)).json()
    await ada.request.post(`/api/tasks/${task.id}/comments`, { data: { content: 'Which?' } })
    await leave(list)

    // Nothing hangs on this one.
    await card(ada, 'Fold it').click()
    await press(ada, 'Delete Task')
    await card(bob, 'Fold it').waitFor({ state: 'detached' })
    await card(ada, 'Order paper').click()
    await press(ada, 'Delete Task')
    await ada
      .getByRole('alertdialog')
      .getByText('1h 35m of logged time and 1 comment will be deleted with this task. You can restore it for 30 days')
      .waitFor()
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete Task' }).click()
    await card(bob, 'Order paper').waitFor({ state: 'detached' })

    await choose(ada, 'Board menu', 'Deleted tasks')
    await list.getByRole('listitem').filter({ hasText: 'Order paper' }).getByText('1h 35m of logged time · 1 comment').waitFor()
    await findsNothingInBoth(ada, 'deleted tasks')
    await list.getByRole('button', { name: 'Restore Order paper' }).click()
    await card(bob, 'Order paper').waitFor()
    await list.getByText('Order paper').waitFor({ state: 'detached' })
    // Brought back elsewhere, it leaves the list by itself.
    await ada.request.post(`/api/tasks/${other.id}/restore`)
    await list.getByText('No tasks to restore from the last 30 days.').waitFor()
  })
})

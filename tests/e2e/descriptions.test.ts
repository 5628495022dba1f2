import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { card, inChromium, sharedBoard } from '../support/chromium'

const LONG = `${'A sentence of many. '.repeat(200)}The very end.`

inChromium('a long description', (site) => {
  test('is read whole where its task is opened, and survives gaps, others and an absent server', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    const cuts: (() => Promise<void>)[] = []
    await ada.routeWebSocket('**/ws', (socket) => {
      const server = socket.connectToServer()
      cuts.push(async () => {
        await server.close()
        await socket.close({ code: 1011 })
      })
    })
    const boardId = await sharedBoard(ada, bob, ['lea', 'leo'], ['Other'])
    const made = await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Long', description: LONG } })
    const { id } = await made.json()
    const stored = async () => (await (await bob.request.get(`/api/tasks/${id}`)).json()).description
    const change = (data: object) => bob.request.patch(`/api/tasks/${id}`, { data })
    const dialog = ada.getByRole('dialog')
    const field = dialog.getByRole('textbox', { name: 'Description' })
    const save = dialog.getByRole('button', { name: 'Save & Close' })
    const question = dialog.getByText('Changed meanwhile')
    /** Has Ada miss something, and waits until her page has read the board again. */
    const missing = async (what: () => Promise<unknown>) => {
      const read = ada.waitForResponse(/\/snapshot$/)
      await Promise.all(cuts.splice(0).map((cut) => cut()))
      await what()
      await (await read).finished()
      await ada.getByText('Reconnecting…').first().waitFor({ state: 'detached' })
    }

    // It stands in the board whole, as the live channel told it; after a gap it does not.
    await card(ada, 'Long').click()
    await dialog.getByText('The very end.').waitFor()
    await dialog.getByText('A sentence of many.').click()
    await field.press('ControlOrMeta+End')
    await field.pressSequentially(' Mine')
    await missing(() => bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Another' } }))
    await card(ada, 'Another').waitFor()
    expect(await field.inputValue()).toBe(`${LONG} Mine`)
    expect(await question.count()).toBe(0)
    await save.click()
    await card(bob, 'Long').click()
    await bob.getByRole('dialog').getByText('The very end. Mine').waitFor()

    // Cut from the start: a skeleton, then all of it; a move of the card in between does not touch it.
    const held = await holding(ada)
    await ada.goto('about:blank')
    await ada.goto(`/board/${boardId}#task-${id}`)
    await dialog.getByRole('status', { name: 'Loading the description' }).waitFor()
    await dialog.getByLabel('Status').selectOption('Done')
    await save.click()
    await card(ada, 'Long').waitFor()
    await held.release()
    expect(await stored()).toBe(`${LONG} Mine`)
    await card(ada, 'Long').click()
    await dialog.getByText('The very end. Mine').waitFor()

    // Changed by another, at once and while one is away.
    await dialog.getByText('A sentence of many.').click()
    await field.fill('All mine')
    await change({ description: `${LONG} Theirs` })
    await question.waitFor()
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await missing(() => change({ description: `${LONG} Theirs again` }))
    await dialog.getByText('Theirs again').waitFor()
    expect(await save.isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Take theirs' }).click()
    await dialog.getByText('The very end. Theirs again').waitFor()

    // Out of reach: nothing is saved over what one has not seen, and what is typed stays.
    await dialog.getByText('A sentence of many.').click()
    await field.press('ControlOrMeta+End')
    await field.pressSequentially('!')
    await ada.route('**/trpc/*tasks.get*', (route) => route.abort())
    await ada.reload()
    await dialog.getByText('The description could not be loaded.').waitFor()
    expect(await field.inputValue()).toBe(`${LONG} Theirs again!`)
    expect(await save.isDisabled()).toBe(true)
    await ada.unroute('**/trpc/*tasks.get*')
    await dialog.getByRole('button', { name: 'Try again' }).first().click()
    await dialog.getByText('The description could not be loaded.').waitFor({ state: 'detached' })
    expect(await question.count()).toBe(0)
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    await bob.getByRole('dialog').getByText('Theirs again!').waitFor()
    expect(await stored()).toBe(`${LONG} Theirs again!`)
  })
})

/** Keeps the reading of a task waiting until it is released. */
async function holding(page: Page) {
  const released = Promise.withResolvers<void>()
  await page.route('**/trpc/*tasks.get*', async (route) => {
    await released.promise
    await route.continue().catch(() => {})
  })
  return {
    async release() {
      released.resolve()
      await page.unroute('**/trpc/*tasks.get*')
    },
  }
}

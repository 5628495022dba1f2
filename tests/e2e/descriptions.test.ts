import { expect, test } from 'bun:test'
import { inChromium, sharedBoard } from '../support/chromium'
import { card, cutOff, heldBack } from '../support/page'

const LONG = `${'A sentence of many. '.repeat(200)}The very end.`

inChromium('a long description', (site) => {
  /** Bob has put a task with it on Ada's board, which both have open unless told otherwise. */
  async function longTask(names: [string, string], { alone = false } = {}) {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    const cut = await cutOff(ada)
    const boardId = await sharedBoard(ada, bob, names, ['Other'], alone ? [ada] : [ada, bob])
    const made = await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Long', description: LONG } })
    const { id } = await made.json()
    await card(ada, 'Long').waitFor()
    const dialog = ada.getByRole('dialog')
    return {
      ...{ ada, bob, boardId, id, dialog },
      field: dialog.getByRole('textbox', { name: 'Description' }),
      save: dialog.getByRole('button', { name: 'Save & Close' }),
      question: dialog.getByText('while you were editing'),
      stored: async () => (await (await bob.request.get(`/api/tasks/${id}`)).json()).description,
      change: (data: object) => bob.request.patch(`/api/tasks/${id}`, { data }),
      /** Has Ada miss something, and waits until her page has read the board again, where it stands cut. */
      async missing(what: () => Promise<unknown>) {
        const read = ada.waitForResponse(/\/snapshot$/)
        await cut()
        await what()
        await (await read).finished()
        await ada.getByText('Reconnecting…').first().waitFor({ state: 'detached' })
      },
    }
  }

  test('is read and saved whole after a gap, with what was typed before it', async () => {
    const { ada, bob, boardId, dialog, field, question, save, missing } = await longTask(['lea', 'leo'])
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
  })

  test('is a skeleton until it is there; moving its card meanwhile does not touch it', async () => {
    const { ada, boardId, id, dialog, save, stored } = await longTask(['mia', 'max'], { alone: true })
    const release = await heldBack(ada, 'tasks.get')
    await ada.goto('about:blank')
    await ada.goto(`/board/${boardId}#task-${id}`)
    await dialog.getByRole('status', { name: 'Loading the description' }).waitFor()
    await dialog.getByLabel('Status').selectOption('Done')
    await save.click()
    await card(ada, 'Long').waitFor()
    await release()
    expect(await stored()).toBe(LONG)
    await card(ada, 'Long').click()
    await dialog.getByText('The very end.').waitFor()
  })

  test('that another changes is asked about, at once and after a gap', async () => {
    const { ada, dialog, field, question, save, change, missing } = await longTask(['nia', 'ned'], { alone: true })
    await card(ada, 'Long').click()
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
  })

  test('that is out of reach is saved over by nobody, and what is typed stays', async () => {
    const { ada, bob, dialog, field, question, save, stored } = await longTask(['oda', 'oli'])
    await card(bob, 'Long').click()
    await card(ada, 'Long').click()
    await dialog.getByText('A sentence of many.').click()
    await field.press('ControlOrMeta+End')
    await field.pressSequentially('!')
    await ada.route('**/trpc/*tasks.get*', (route) => route.abort())
    await ada.reload()
    await dialog.getByText('The description could not be loaded.').waitFor()
    expect(await field.inputValue()).toBe(`${LONG}!`)
    expect(await save.isDisabled()).toBe(true)
    // Read again by itself as soon as that works.
    await ada.unroute('**/trpc/*tasks.get*')
    await dialog.getByText('The description could not be loaded.').waitFor({ state: 'detached' })
    expect(await question.count()).toBe(0)
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    await bob.getByRole('dialog').getByText('The very end.!').waitFor()
    expect(await stored()).toBe(`${LONG}!`)
  })
})

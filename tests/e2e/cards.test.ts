import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { inChromium, sharedBoard } from '../support/chromium'
import { button, card, column, drag, leave, menuItem, press, refuseCalls, says, shows, toast } from '../support/page'
import { until } from '../support/until'

const isFocused = (page: Page, title: string) =>
  page.waitForFunction((part) => document.querySelector(':focus')?.textContent?.startsWith(part), title)

inChromium('a card that is dragged', (site) => {
  test('lands below a line that lies over no text, and shows where it was until it is there', async () => {
    const { ada } = await site.ownBoard(['dirk', 'doro'], ['One', 'Two'])
    const one = card(ada, 'One').and(ada.locator('[draggable=true]'))
    const from = await one.boundingBox()
    const empty = column(ada, 'Done').getByText('No tasks in this column')
    const to = await empty.boundingBox()
    if (!from || !to) throw new Error('nothing is there')
    await ada.mouse.move(from.x + 30, from.y + 20)
    await ada.mouse.down()
    const line = ada.locator('[data-drop-line]:visible')
    await until('a line', async () => {
      // A browser goes on telling where a resting pointer is; here each move does.
      await ada.mouse.move(to.x + 30 + Math.random(), to.y + 40, { steps: 3 })
      return (await line.count()) > 0
    })
    const buttons = ada
      .locator('li:has([data-task])')
      .filter({ hasText: 'One' })
      .getByRole('button', { name: /^(Menu for|Start the timer on) One$/ })
    expect(await buttons.count()).toBe(0)
    const [drawn, text] = [await line.boundingBox(), await empty.boundingBox()]
    expect((drawn?.y ?? 0) + (drawn?.height ?? 0)).toBeLessThanOrEqual(text?.y ?? 0)
    await one.evaluate(({ parentElement: item }) => {
      const looks = new Set([item?.dataset.drag])
      Object.assign(window, { looks })
      if (item) new MutationObserver(() => looks.add(item.dataset.drag)).observe(item, { attributes: true })
    })
    await ada.mouse.up()
    await shows(ada, 'Done', ['One'])
    await line.waitFor({ state: 'detached' })
    expect(await ada.evaluate(() => [...(window as unknown as { looks: Set<string> }).looks])).toEqual(['on'])
    await ada.locator('[data-drag]').waitFor({ state: 'detached' })
    expect(await buttons.count()).toBe(2)
  })

  test('can be dragged though what drags was lost on the way at first', async () => {
    const ada = await site.open('ada')
    await ada.route('**/assets/element-adapter-*.js', (route) => route.abort())
    const lost = ada.waitForEvent('console', (message) => message.text().startsWith('Drag and drop could not be loaded'))
    await Promise.all([lost, sharedBoard(ada, null, ['gero', 'gina'], ['One'])])
    expect(await ada.locator('[draggable=true]').count()).toBe(0)
    await ada.unroute('**/assets/element-adapter-*.js')
    await column(ada, 'Done').getByRole('heading').click()
    await drag(card(ada, 'One').and(ada.locator('[draggable=true]')), column(ada, 'Done').getByRole('heading'))
    await shows(ada, 'Done', ['One'])
  })

  /** Drags it over a column, without dropping it. */
  async function dragOver(page: Page, title: string, label: string) {
    const one = card(page, title).and(page.locator('[draggable=true]'))
    const [from, to] = [await one.boundingBox(), await column(page, label).boundingBox()]
    if (!from || !to) throw new Error('nothing is there')
    await page.mouse.move(from.x + 30, from.y + 20)
    await page.mouse.down()
    await until('it is dragged there', async () => {
      await page.mouse.move(to.x + 30 + Math.random(), to.y + 80, { steps: 3 })
      const lines = await column(page, label).locator('[data-drop-line]:visible').count()
      return lines > 0 && (await page.locator('[data-drag=on]').filter({ hasText: title }).count()) > 0
    })
  }

  /** Holds back what React does by and by, until it is let go. */
  async function reactHeldBack(page: Page) {
    await page.evaluate(() => {
      const { postMessage } = MessagePort.prototype
      const held: (() => void)[] = []
      MessagePort.prototype.postMessage = function (...given: [unknown]) {
        held.push(() => postMessage.apply(this, given))
      }
      const release = () => {
        MessagePort.prototype.postMessage = postMessage
        for (const post of held) post()
      }
      Object.assign(window, { release })
    })
    return () => page.evaluate(() => (window as unknown as { release(): void }).release())
  }

  test('looks as ever where its move is refused before the columns have shown it', async () => {
    const { ada } = await site.ownBoard(['enno', 'elsa'], ['One', 'Two'])
    await dragOver(ada, 'One', 'Done')
    await refuseCalls(ada, 'tasks.update')
    const release = await reactHeldBack(ada)
    await ada.mouse.up()
    await toast(ada, 'Error')
    await release()
    await ada.locator('[data-drag], [data-over]').first().waitFor({ state: 'detached' })
    await shows(ada, 'To Do', ['One', 'Two'])
  })

  test('looks like it until it is dropped, also where the one before is shown in its place meanwhile', async () => {
    const { ada } = await site.ownBoard(['fero', 'fina'], ['One', 'Two'])
    await dragOver(ada, 'One', 'Done')
    const release = await reactHeldBack(ada)
    await ada.mouse.up()
    await dragOver(ada, 'Two', 'In Progress')
    await release()
    await shows(ada, 'Done', ['One'])
    expect(
      await ada.locator('[data-drag]').evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset.drag)),
    ).toEqual(['on'])
    await ada.mouse.up()
    await shows(ada, 'In Progress', ['Two'])
    await ada.locator('[data-drag]').waitFor({ state: 'detached' })
  })
})

inChromium('the menu of a card', (site) => {
  test('opens at the pointer and by keys: assigns, sets a day, times, copies the link, deletes; each can be undone', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['amy', 'bud'], ['One', 'Two'], {
      ada: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    const box = await card(ada, 'One').boundingBox()
    await card(ada, 'One').click({ button: 'right', position: { x: 60, y: 12 } })
    await ada.waitForFunction(
      (x) => Math.abs((document.querySelector('[role=menu]')?.getBoundingClientRect().x ?? 0) - x) < 12,
      (box?.x ?? 0) + 60,
    )
    await findsNothing(ada, 'the menu of a card')
    await ada.emulateMedia({ colorScheme: 'dark' })
    await findsNothing(ada, 'the menu of a card, dark')
    await menuItem(ada, 'Assign').click()
    await ada.getByRole('menuitemcheckbox', { name: 'Amy (you)' }).click()
    await ada.getByRole('menuitemcheckbox', { name: 'Bud' }).click()
    for (const name of ['Amy', 'Bud']) await card(bob, 'One').getByTitle(name).waitFor()
    await leave(ada.getByRole('menu').first())
    await isFocused(ada, 'One')

    await ada.keyboard.press('Shift+F10')
    await menuItem(ada, 'Due date').click()
    await menuItem(ada, 'Tomorrow').click()
    await card(bob, 'One').locator('time').waitFor()
    await isFocused(ada, 'One')
    await ada.keyboard.press('Control+z')
    await card(bob, 'One').locator('time').waitFor({ state: 'detached' })

    await card(ada, 'One').click({ button: 'right' })
    await menuItem(ada, 'Copy link').click()
    await toast(ada, 'Link Copied')
    const taskId = await card(ada, 'One').getAttribute('data-task')
    expect(await ada.evaluate(() => navigator.clipboard.readText())).toEndWith(`/board/${boardId}#task-${taskId}`)

    await card(ada, 'One').click({ button: 'right' })
    await menuItem(ada, 'Start timer').click()
    await card(bob, 'One').getByText('0m').waitFor()
    await press(ada, 'Menu for Two')
    await menuItem(ada, 'Delete').click()
    await shows(bob, 'To Do', ['One'])
    await ada.keyboard.press('Control+z')
    await shows(bob, 'To Do', ['One', 'Two'])
    await ada.request.post('/api/time-entries', { data: { taskId: Number(taskId), duration: 65 } })
    await card(ada, 'One').getByText('1h 5m').waitFor()
    await card(ada, 'One').click({ button: 'right' })
    await menuItem(ada, 'Delete').click()
    await ada.getByText('1h 5m of logged time and a running timer will be deleted with this task').waitFor()
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete Task' }).click()
    await shows(bob, 'To Do', ['Two'])
    await card(bob, 'Two').click({ button: 'right' })
    await menuItem(bob, 'Start timer').waitFor()
    expect(await menuItem(bob, 'Delete').count()).toBe(0)
  })
})

inChromium('a filter', (site) => {
  test('stands in the address: a link shows the same, Back takes it off, and “Mine” is one click', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['cat', 'dan'], [])
    await says(ada, 'to add the first task', 'Use Invite Members to bring in your team.')
    expect(await ada.getByRole('search').count()).toBe(0)
    const { id } = await (await bob.request.get('/api/auth/me')).json()
    const post = (data: object) => ada.request.post(`/api/boards/${boardId}/tasks`, { data })
    for (const data of [
      { title: 'Dig', tags: ['spring'], assigneeIds: [id] },
      { title: 'Dig deep', tags: ['spring'] },
      { title: 'Sow' },
    ])
      await post(data)
    await shows(bob, 'To Do', ['Dig', 'Dig deep', 'Sow'])
    await bob.getByLabel('Tag').selectOption('spring')
    await shows(bob, 'To Do', ['Dig', 'Dig deep'])
    await press(bob, 'Mine')
    await shows(bob, 'To Do', ['Dig'])
    expect(await button(bob, 'Mine').getAttribute('aria-pressed')).toBe('true')
    await bob.goBack()
    await shows(bob, 'To Do', ['Dig', 'Dig deep'])
    await bob.getByLabel('Filter tasks by text').fill('deep')
    await bob.waitForURL(/\?q=deep&tag=spring$/)
    await card(bob, 'Dig deep').click()
    await bob.getByRole('dialog').waitFor()
    await leave(bob.getByRole('dialog'))
    await ada.goto(bob.url())
    await shows(ada, 'To Do', ['Dig deep'])
    expect(await ada.getByLabel('Filter tasks by text').inputValue()).toBe('deep')
    await findsNothing(ada, 'a filter from a link')
    await ada.goto(`/board/${boardId}?assignee=${id}`)
    await shows(ada, 'To Do', ['Dig'])
    await press(ada, 'Clear')
    await ada.waitForURL(new RegExp(`/board/${boardId}$`))
    await shows(ada, 'To Do', ['Dig', 'Dig deep', 'Sow'])
  })
})

inChromium('cards', (site) => {
  const LONG = 'A title that goes on and on, beyond what one line of a card holds, and beyond two of them, '.repeat(2)

  test('cut a long title at a word’s end, whole as a hint and as a name; at 200 % more than one is in sight', async () => {
    const { ada } = await site.ownBoard(['eli', 'fay'], [LONG, 'Two', 'Three', 'Four'], { viewport: { width: 640, height: 400 } })
    const title = card(ada, 'A title that goes on').locator('p').first()
    await title.waitFor()
    const shown = await title.locator('span').first().textContent()
    expect([LONG.startsWith(`${shown} `), (shown ?? '').length <= 28]).toEqual([true, true])
    await ada.getByRole('button', { name: LONG.trim() }).first().waitFor()
    expect(await title.getAttribute('title')).toBe(LONG.trim())
    await column(ada, 'To Do').scrollIntoViewIfNeeded()
    await card(ada, 'Three').evaluate((one) => one.scrollIntoView({ block: 'end' }))
    const seen = await ada.locator('section[aria-label="To Do"] [data-task]').evaluateAll(
      (cards) =>
        cards.filter((one) => {
          const { top, bottom } = one.getBoundingClientRect()
          return [top + 4, bottom - 4].every((y) => one.contains(document.elementFromPoint(120, y)))
        }).length,
    )
    expect(seen).toBeGreaterThan(1)
  })

  test('are as far apart as ever where a title becomes longer than is thought to fit a line, and does', async () => {
    const { ada, taskId: id } = await site.ownBoard(['gus', 'hal'], ['i'.repeat(41), 'Two'])
    const between = async () => {
      const [first, second] = await Promise.all(['iiii', 'Two'].map((title) => card(ada, title).boundingBox()))
      return (second?.y ?? 0) - (first?.y ?? 0) - (first?.height ?? 0)
    }
    const before = await between()
    await ada.request.patch(`/api/tasks/${id}`, { data: { title: 'i'.repeat(43) } })
    await says(ada, 'i'.repeat(43))
    expect(await between()).toBe(before)
  })

  test('are as far apart as ever once a window has become narrower, wherever the column is then', async () => {
    // Those in sight stay as high as they are; all others become higher.
    const titles = Array.from(
      { length: 40 },
      (_, nth) => `The ${nth + 100}th${nth < 20 ? '' : ' of tasks with titles of a line'}`,
    )
    const { ada } = await site.ownBoard(['ida', 'jim'], titles, { viewport: { width: 1440, height: 700 } })
    const list = column(ada, 'To Do').getByRole('list')
    const scroll = (top: number) => list.evaluate((ul, top) => void ul.parentElement?.scrollTo(0, top), top)
    const areApart = () =>
      ada.waitForFunction(() => {
        const boxes = [...document.querySelectorAll('section[aria-label="To Do"] li.item')].map((item) =>
          item.getBoundingClientRect(),
        )
        const sorted = boxes.toSorted((a, b) => a.y - b.y)
        return sorted.length > 5 && sorted.slice(1).every(({ y }, nth) => Math.abs(y - (sorted[nth]?.bottom ?? 0) - 8) < 0.6)
      })
    await areApart()
    await ada.setViewportSize({ width: 800, height: 700 })
    for (let top = 0; top < 3_000; top += 200) {
      await scroll(top)
      await areApart()
    }
    expect(await card(ada, '130th').count()).toBeGreaterThan(0)
  })
})

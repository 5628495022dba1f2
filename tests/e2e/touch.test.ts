import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { inChromium } from '../support/chromium'
import { button, card, column, hasFocus, isOn, leave, shows, type } from '../support/page'

inChromium('the board on a phone', (site) => {
  test('a card is moved by taps alone, up, down and to other columns, and others see it', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const { ada, bob } = await site.sharedBoard(['tove', 'udo'], ['One', 'Two', 'Three'], { ada: phone })
    const choose = async (title: string, item: string) => {
      await ada.getByRole('button', { name: `Menu for ${title}` }).tap()
      await ada.getByRole('menuitem', { name: item, exact: true }).tap()
      await ada.waitForFunction((name) => document.querySelector(':focus')?.textContent?.startsWith(name), title)
    }
    await choose('Three', 'Move up')
    await shows(bob, 'To Do', ['One', 'Three', 'Two'])
    await choose('Three', 'Move up')
    await shows(bob, 'To Do', ['Three', 'One', 'Two'])
    await choose('One', 'Move down')
    await shows(bob, 'To Do', ['Three', 'Two', 'One'])
    await choose('Two', 'Move to Done')
    await shows(bob, 'Done', ['Two'])
    await shows(ada, 'To Do', ['Three', 'One'])
    expect(await ada.getByRole('status').filter({ hasText: 'Two dropped, Done, position 1.' }).count()).toBe(1)

    await ada.getByRole('button', { name: 'Menu for Three' }).tap()
    expect(await ada.getByRole('menuitem', { name: 'Move up' }).getAttribute('aria-disabled')).toBe('true')
    await leave(ada.getByRole('menu'))
    await card(ada, 'Three').tap()
    await ada.getByRole('dialog').getByRole('heading', { name: 'Three' }).waitFor({ state: 'attached' })

    // Time that somebody may invoice does not go unasked; what goes can be brought back, also after another toast.
    const taskId = Number(await card(ada, 'Three').getAttribute('data-task'))
    await ada.request.post('/api/time-entries', { data: { taskId, duration: 65 } })
    await ada.getByText('1h 5m').first().waitFor()
    await ada.getByRole('button', { name: 'Delete Task' }).tap()
    await ada.getByText('1h 5m of logged time will be deleted with this task').waitFor()
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete Task' }).tap()
    await shows(bob, 'To Do', ['One'])
    await ada.getByRole('button', { name: 'Undo' }).tap()
    await shows(bob, 'To Do', ['Three', 'One'])

    // News lies over the page on a phone: a touch beside it puts it away.
    await ada.getByRole('button', { name: 'Add Task' }).first().tap()
    await ada.getByLabel('Title').fill('Four')
    await ada.getByRole('button', { name: 'Create Task' }).tap()
    const news = ada.getByRole('list', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: 'Task Created' })
    await news.waitFor()
    await ada.getByRole('heading', { name: 'To Do' }).tap()
    expect(await news.count()).toBe(0)
  })
  const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

  test('a card has one button, as large as a finger, with the timer in its menu; its header’s are as large', async () => {
    const { ada, bob } = await site.sharedBoard(['vera', 'will'], ['One', 'Two'], { ada: PHONE })
    const buttons = ada.locator('li:has([data-task]) button:visible')
    expect(await buttons.count()).toBe(2)
    const sizes = async (what: typeof buttons) =>
      what.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)))
    expect(await sizes(buttons)).toEqual([44, 44])
    const header = ada.locator('header').filter({ has: ada.getByRole('heading', { level: 1 }) })
    const small = (await sizes(header.locator('button:visible'))).filter((size) => size < 44)
    expect(small).toEqual([])
    // The two pencils lie beside each other, and each is hit.
    await button(ada, 'Edit board description').tap()
    await ada.getByRole('textbox', { name: 'Board description' }).waitFor()
    await ada.keyboard.press('Escape')
    await button(ada, 'Edit board name').tap()
    await ada.getByRole('textbox', { name: 'Board name' }).waitFor()
    await ada.keyboard.press('Escape')
    await button(ada, 'Menu for One').tap()
    await ada.getByRole('menuitem', { name: 'Start timer' }).tap()
    await card(bob, 'One').getByText('0m').waitFor()
    // Once a card is selected by its menu, a tap selects another.
    await button(ada, 'Menu for One').tap()
    await ada.getByRole('menuitem', { name: 'Select', exact: true }).tap()
    await card(ada, 'Two').tap()
    await ada.getByText('2 selected').waitFor()
    await button(ada, 'Move').tap()
    await ada.getByRole('menuitem', { name: 'Done', exact: true }).tap()
    await shows(bob, 'Done', ['One', 'Two'])
  })

  test('the menu comes in from the side of its button', async () => {
    const { ada } = await site.ownBoard(['xena', 'yann'], ['One'], { ...PHONE, reducedMotion: 'no-preference' })
    const near = await button(ada, 'Menu').boundingBox()
    const from = ada.evaluate(
      () =>
        new Promise((resolve) =>
          document.addEventListener('animationstart', ({ target }) => {
            if (!(target instanceof Element && target.matches('[role=dialog]'))) return
            const [slide] = target.getAnimations()
            if (slide) slide.currentTime = 0
            resolve(target.getBoundingClientRect().left)
            slide?.finish()
          }),
        ),
    )
    await button(ada, 'Menu').tap()
    const drawer = ada.getByRole('dialog')
    expect(await from).toBe(390)
    const box = await drawer.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(390)
    expect(box?.x).toBeLessThan(near?.x ?? 0)
    // What closes it is in the same place: there, a second tap at once would be that of a double tap.
    const close = await button(ada, 'Close menu').boundingBox()
    expect(close).toEqual(near)
    await button(ada, 'Close menu').press('Enter')
    await isOn(ada, 'Menu')
    // On its side, too, the boards lie above the account.
    await ada.setViewportSize({ width: 740, height: 360 })
    await button(ada, 'Menu').tap()
    const add = await drawer.getByRole('button', { name: 'New Board' }).boundingBox()
    const account = await drawer.getByRole('heading', { name: 'Account' }).boundingBox()
    expect((add?.y ?? 0) + (add?.height ?? 0)).toBeLessThanOrEqual(account?.y ?? 0)
  })

  test('filters fold into one button that says how many there are, and hold the same', async () => {
    const { ada, boardId } = await site.ownBoard(['zeno', 'alma'], [], PHONE)
    for (const data of [
      { title: 'Dig', tags: ['spring'] },
      { title: 'Sow', tags: ['spring'], dueDate: '2020-01-01' },
      { title: 'Rake' },
    ])
      await ada.request.post(`/api/boards/${boardId}/tasks`, { data })
    await shows(ada, 'To Do', ['Dig', 'Sow', 'Rake'])
    expect(await ada.getByLabel('Tag').count()).toBe(0)
    await ada.keyboard.press('/')
    await hasFocus(ada.getByLabel('Filter tasks by text'))
    await ada.keyboard.press('Escape')
    await button(ada, 'Filters').tap()
    await hasFocus(ada.getByRole('dialog', { name: 'Filters' }))
    await ada.getByLabel('Tag').selectOption('spring')
    await ada.getByLabel('Due date').selectOption('Overdue')
    await shows(ada, 'To Do', ['Sow'])
    await ada.getByRole('dialog', { name: 'Filters' }).getByText('1 of 3 tasks').waitFor()
    await findsNothing(ada, 'folded filters')
    await ada.keyboard.press('Escape')
    await isOn(ada, 'Filters2 active')
    await ada.waitForURL(/tag=spring/)
    await ada.setViewportSize({ width: 820, height: 844 })
    expect(await ada.getByLabel('Tag').inputValue()).toBe('spring')
    await ada.setViewportSize({ width: 819, height: 844 })
    await button(ada, 'Filters 2 active').tap()
    await button(ada, 'Clear').tap()
    await shows(ada, 'To Do', ['Dig', 'Sow', 'Rake'])
    await ada.keyboard.press('Escape')
    await button(ada, 'Filters').waitFor()
  })
})

inChromium('the columns', (site) => {
  const isBelow = async (page: Page, title: string) => {
    const [last, add, whole] = await Promise.all([
      card(page, title).boundingBox(),
      column(page, 'To Do').getByRole('button', { name: 'Add Task' }).boundingBox(),
      column(page, 'To Do').boundingBox(),
    ])
    const bottom = (box: typeof last) => (box?.y ?? 0) + (box?.height ?? 0)
    return { gap: (add?.y ?? 0) - bottom(last), foot: bottom(whole) - bottom(add) }
  }

  test('fit side by side on a phone on its side', async () => {
    const { ada } = await site.ownBoard(['bela', 'cato'], ['One'], {
      viewport: { width: 740, height: 360 },
      hasTouch: true,
      isMobile: true,
    })
    const boxes = await Promise.all(['To Do', 'In Progress', 'Done'].map((label) => column(ada, label).boundingBox()))
    for (const box of boxes) expect(box?.width).toBeGreaterThanOrEqual(230)
    expect((boxes[2]?.x ?? 0) + (boxes[2]?.width ?? 0)).toBeLessThanOrEqual(740)
    // Most of the window is theirs, and what filters them is not cut.
    expect(boxes[0]?.y).toBeLessThan(160)
    await button(ada, 'Filters').tap()
    const due = await ada.getByLabel('Due date').boundingBox()
    expect((due?.y ?? 0) + (due?.height ?? 0)).toBeLessThan(360)
  })

  test('have Add Task below their last card, and at their foot once they are full', async () => {
    const { ada, boardId } = await site.ownBoard(['dora', 'egon'], ['One', 'Two'])
    const few = await isBelow(ada, 'Two')
    expect([few.gap < 20, few.gap >= 0, few.foot > 300]).toEqual([true, true, true])
    await column(ada, 'To Do').getByRole('button', { name: 'Add Task' }).click()
    const line = ada.getByRole('form', { name: 'New task' })
    const [box, last] = [await line.boundingBox(), await card(ada, 'Two').boundingBox()]
    expect((box?.y ?? 0) - (last?.y ?? 0) - (last?.height ?? 0)).toBeLessThan(20)
    await type(ada, 'Three', 'Enter')
    await shows(ada, 'To Do', ['One', 'Two', 'Three'])
    await ada.keyboard.press('Escape')
    for (let nth = 4; nth <= 30; nth++) await ada.request.post(`/api/boards/${boardId}/tasks`, { data: { title: `Nth ${nth}` } })
    await ada.getByRole('heading', { name: 'To Do 30' }).waitFor()
    const add = column(ada, 'To Do').getByRole('button', { name: 'Add Task' })
    expect((await isBelow(ada, 'One')).foot).toBeLessThan(20)
    await add.click()
    await card(ada, 'Nth 30').waitFor()
    const [lineBox, lastBox] = [await line.boundingBox(), await card(ada, 'Nth 30').boundingBox()]
    expect((lastBox?.y ?? 0) + (lastBox?.height ?? 0)).toBeLessThanOrEqual(lineBox?.y ?? 0)
  })
})

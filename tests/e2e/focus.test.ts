import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import {
  button,
  card,
  column,
  dialog,
  drag,
  enter,
  hasFocus,
  keys,
  leave,
  menuItem,
  refuseCalls,
  shows,
  toast,
  type,
} from '../support/page'

inChromium('the browser’s Back', (site) => {
  test('closes what is open, the last first, and only then leaves the board; a sideways swipe never does', async () => {
    const { ada } = await site.ownBoard(['bix', 'bax'], ['One'])
    const board = new URL(ada.url()).pathname
    const isClosed = (name: string) => ada.getByRole('dialog', { name }).waitFor({ state: 'detached' })
    await ada.goto('/')
    await ada
      .getByRole('main')
      .getByRole('link', { name: /Spring catalogue/ })
      .click()
    await card(ada, 'One').click()
    await button(ada, 'Add Time Entry').click()
    await ada.getByRole('dialog', { name: 'Add Time Entry' }).waitFor()
    await ada.goBack()
    await isClosed('Add Time Entry')
    await ada.getByRole('dialog', { name: 'One' }).waitFor()
    await ada.goBack()
    await isClosed('One')
    await button(ada, 'Time Logs').click()
    await ada.getByRole('dialog', { name: 'Time Logs' }).waitFor()
    await ada.goBack()
    await isClosed('Time Logs')
    await button(ada, 'Delete Board').click()
    await ada.getByRole('alertdialog').waitFor()
    await ada.goBack()
    await ada.getByRole('alertdialog').waitFor({ state: 'detached' })
    await ada.setViewportSize({ width: 390, height: 844 })
    await button(ada, 'Menu').click()
    await button(ada, 'Close menu').waitFor()
    await ada.goBack()
    await button(ada, 'Close menu').waitFor({ state: 'detached' })
    expect(await ada.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorX)).toBe('none')

    // What was closed otherwise is passed by: one step leaves the board.
    for (const name of ['Time Logs', 'Invite Members', 'Menu']) {
      await button(ada, name).click()
      await ada.getByRole('dialog').waitFor()
      await leave(ada.getByRole('dialog'))
    }
    await card(ada, 'One').click()
    await button(ada, 'Add Time Entry').click()
    for (const name of ['Add Time Entry', 'One']) {
      await ada.getByRole('dialog', { name }).waitFor()
      await ada.keyboard.press('Escape')
      await isClosed(name)
    }
    expect(new URL(ada.url()).pathname).toBe(board)
    await ada.goBack()
    await ada.waitForURL((url) => url.pathname === '/')
    await ada.goForward()
    await column(ada, 'To Do').waitFor()
  })

  test('is not needed once more after a reload for what that has closed', async () => {
    const { ada } = await site.ownBoard(['bab', 'bub'], ['One'])
    const board = ada.url()
    await ada.goto('/time')
    await ada.goto(board)
    await button(ada, 'Activity').click()
    await ada.getByRole('dialog').waitFor()
    await ada.reload()
    await card(ada, 'One').waitFor()
    await ada.goBack()
    await ada.waitForURL('**/time')
  })

  test('does not open again what an address opened and one has closed', async () => {
    const { ada } = await site.ownBoard(['bex', 'box'], ['One'])
    const board = ada.url()
    await ada.goto('/time')
    await ada.goto(board)
    await button(ada, 'Start the timer on One').waitFor()
    await ada.keyboard.press('Control+k')
    await ada.getByRole('combobox').fill('time logs')
    await ada.getByRole('option', { name: 'Time logs for' }).first().click()
    await leave(dialog(ada, 'Time Logs'))
    await ada.goBack()
    // The page then skips the search's entry by a step of its own: a second Back at that moment would merge with it.
    await ada.waitForFunction(() => !history.state?.depth)
    await ada.goBack()
    await ada.waitForURL('**/time')
  })
})

inChromium('the focus', (site) => {
  test('is not taken from who types when someone else moves a card', async () => {
    const { ada, bob } = await site.sharedBoard(['fay', 'gus'], ['One', 'Two', 'Three'])
    await card(ada, 'One').focus()
    await ada.keyboard.press('ArrowDown')
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent?.includes('Two'))
    await ada.getByRole('button', { name: 'Edit board name' }).click()
    await ada.keyboard.press('Control+A')
    await ada.keyboard.type('Half typed')
    await drag(card(bob, 'Two'), column(bob, 'Done').getByRole('heading'))
    await shows(ada, 'Done', ['Two'])
    expect(await ada.getByRole('textbox', { name: 'Board name' }).inputValue()).toBe('Half typed')
    await ada.keyboard.press('Escape')
    await bob.getByRole('heading', { name: 'Spring catalogue' }).waitFor()
  })

  test('stays with the card that was picked up, and leaving it puts it back', async () => {
    const { ada, bob } = await site.sharedBoard(['hal', 'ivy'], ['One', 'Two'])
    await ada.keyboard.press('Shift+C')
    await ada.getByLabel('Task Title').fill('Fresh')
    await ada.getByLabel('Status').selectOption('Done')
    await ada.getByRole('button', { name: 'Create Task' }).click()
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent?.includes('Fresh'))
    await card(ada, 'One').focus()
    await keys(ada, 'Space', 'ArrowDown')
    await shows(ada, 'To Do', ['Two', 'One'])
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent?.includes('One'))
    await ada.keyboard.press('Tab')
    await shows(ada, 'To Do', ['One', 'Two'])
    await shows(bob, 'To Do', ['One', 'Two'])
  })

  test('goes to a task that was created, and back to what opened the dialog where the filter hides it', async () => {
    const { ada, bob } = await site.sharedBoard(['pia', 'ron'], ['Chairs'])
    const create = async (title: string) => {
      await button(ada, 'Time Logs').focus()
      await ada.keyboard.press('Shift+C')
      await enter(ada.getByLabel('Task Title'), title)
      await ada.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const focused = (text: string) =>
      ada.waitForFunction((part) => document.querySelector(':focus')?.textContent?.includes(part), text)
    await ada.getByLabel('Filter tasks by text').fill('chair')
    await create('More chairs')
    await focused('More chairs')
    await create('Tables')
    await shows(bob, 'To Do', ['Chairs', 'More chairs', 'Tables'])
    await focused('Time Logs')
  })

  test('goes on with what stands in the place of what was pressed by key, in a dialog', async () => {
    const { ada } = await site.ownBoard(['una', 'vic'], ['One'])
    const inTask = (name: string) => ada.getByRole('dialog').getByRole('button', { name, exact: true })
    await card(ada, 'One').press('Enter')
    await inTask('Start timer').press('Enter')
    await hasFocus(inTask('Pause'))
    await enter(ada.getByRole('dialog').getByLabel('Due date', { exact: true }), '2031-03-09')
    await inTask('Remove the due date').press('Enter')
    await hasFocus(ada.getByRole('dialog').getByLabel('Due date', { exact: true }))
    await inTask('Manage').press('Enter')
    const others = ada.getByRole('list', { name: 'Members to assign' }).getByRole('button')
    await others.first().press('Enter')
    await hasFocus(others)
    await ada.keyboard.press('Escape')
    await hasFocus(inTask('Manage'))
    await ada.keyboard.press('Escape')
    await hasFocus(card(ada, 'One'))
  })

  test('goes to the field of the filter that is cleared by key, and stays with the people one of whom is removed', async () => {
    const { ada } = await site.sharedBoard(['ulla', 'vito'], ['One', 'Two'], { seenBy: ['ada'] })
    await ada.getByLabel('Filter tasks by text').fill('one')
    await button(ada, 'Clear').press('Enter')
    await hasFocus(ada.getByLabel('Filter tasks by text'))
    await button(ada, 'Invite Members').press('Enter')
    await button(ada, 'Remove Vito').press('Enter')
    await button(ada, 'Remove member').press('Enter')
    await button(ada, 'Remove Vito').waitFor({ state: 'detached' })
    await ada.waitForFunction(() => document.activeElement?.closest('[role=dialog]')?.ariaLabel === 'Invite Members')
  })

  test('goes on with what stands in the place of what goes from a popover, by key or by somebody else’s hand', async () => {
    const { ada, boardId } = await site.ownBoard(['ursi', 'viki'], ['One'])
    const invite = async (email: string) => {
      const answer = await ada.request.post(`/api/boards/${boardId}/members`, { data: { email } })
      return Number((await answer.json()).invitation.id)
    }
    await button(ada, 'Invite Members').press('Enter')
    await invite('first@example.com')
    const second = await invite('second@example.com')
    const revoke = ada.getByRole('button', { name: /^Revoke the invitation/ })
    await revoke.first().press('Enter')
    await hasFocus(button(ada, 'Revoke the invitation to second@example.com'))
    await ada.request.delete(`/api/boards/${boardId}/invitations/${second}`)
    await revoke.waitFor({ state: 'detached' })
    await ada.waitForFunction(() => document.activeElement?.closest('[role=dialog]')?.ariaLabel === 'Invite Members')
  })

  test('goes to the next card where the one that has it, or that is open, is deleted elsewhere', async () => {
    const titles = ['One', 'Two', 'Three', 'Four']
    const { ada } = await site.ownBoard(['urs', 'vin'], titles)
    const ids = await Promise.all(titles.map((title) => card(ada, title).getAttribute('data-task')))
    const remove = (nth: number) => ada.request.delete(`/api/tasks/${ids[nth]}`)
    await card(ada, 'Two').focus()
    await remove(1)
    await hasFocus(card(ada, 'Three'))
    await ada.keyboard.press('Enter')
    await ada.getByRole('textbox', { name: 'New comment' }).waitFor()
    await remove(2)
    await hasFocus(card(ada, 'Four'))
    await remove(3)
    await hasFocus(card(ada, 'One'))
  })

  test('goes to the next card where a menu, a calendar or what is selected is of a task that is deleted elsewhere', async () => {
    const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight']
    const { ada } = await site.ownBoard(['uwe', 'wim'], titles)
    const ids = await Promise.all(titles.map((title) => card(ada, title).getAttribute('data-task')))
    const remove = (nth: number) => ada.request.delete(`/api/tasks/${ids[nth]}`)
    await card(ada, 'One').focus()
    await ada.keyboard.press('Shift+F10')
    await menuItem(ada, 'Assign').waitFor()
    await remove(0)
    await hasFocus(card(ada, 'Two'))
    await ada.keyboard.press('d')
    await hasFocus(menuItem(ada, 'Today'))
    await menuItem(ada, 'Pick a date…').press('Enter')
    await ada.getByRole('gridcell').locator(':focus').waitFor()
    await remove(1)
    await hasFocus(card(ada, 'Three'))
    await ada.keyboard.press('x')
    await button(ada, 'Tag').press('Enter')
    await ada.getByRole('combobox', { name: 'Tags on 1 task' }).and(ada.locator(':focus')).waitFor()
    await remove(2)
    await hasFocus(card(ada, 'Four'))
    // Two go at once: the one that the focus would go to, and all that is selected.
    await ada.keyboard.press('Shift+F10')
    await menuItem(ada, 'Assign').waitFor()
    await Promise.all([remove(3), remove(4)])
    await hasFocus(card(ada, 'Six'))
    await keys(ada, 'x', 'Shift+ArrowDown')
    await ada.keyboard.press('m')
    await menuItem(ada, 'Done').waitFor()
    // First the one that the menu came from.
    await remove(6)
    await remove(5)
    await hasFocus(card(ada, 'Eight'))
  })

  test('goes to the board once the last of what could not be saved is discarded by key', async () => {
    const { ada } = await site.ownBoard(['ute', 'vroni'], ['One'])
    await ada.route(/\/trpc\/|\/api\//, (route) => route.abort())
    await card(ada, 'One').focus()
    await ada.keyboard.press('2')
    await ada.getByText('1 change will sync.').waitFor()
    await refuseCalls(ada, 'tasks.update')
    await ada.unroute(/\/trpc\/|\/api\//)
    await button(ada, 'Review').press('Enter')
    await ada.getByRole('dialog', { name: 'Not saved' }).getByRole('button', { name: 'Discard' }).press('Enter')
    await hasFocus(ada.getByRole('region', { name: 'Columns' }))
  })

  test('is given back to what opened a dialog', async () => {
    const { ada } = await site.ownBoard(['wes', 'xia'], ['One'])
    await button(ada, 'New Board').press('Enter')
    await ada.getByRole('dialog').waitFor()
    await ada.keyboard.type('Autumn')
    expect(await ada.getByRole('dialog').getByLabel('Board Name').inputValue()).toBe('Autumn')
    // A press beside it leaves the focus where it is.
    await ada.mouse.click(5, 5)
    await ada.keyboard.type(' catalogue')
    expect(await ada.getByRole('dialog').getByLabel('Board Name').inputValue()).toBe('Autumn catalogue')
    await ada.keyboard.press('Escape')
    await button(ada, 'New Board').and(ada.locator(':focus')).waitFor()
  })

  test('leaves the button in the sidebar that made the board which is shown', async () => {
    const ada = await site.account('yva')
    await ada.goto('/time')
    await button(ada, 'New Board').press('Enter')
    await ada.getByRole('dialog').waitFor()
    await type(ada, 'Autumn', 'Enter')
    await ada.getByRole('region', { name: 'Columns' }).waitFor()
    expect(await ada.evaluate(() => document.activeElement === document.body)).toBe(true)
    await ada.keyboard.press('Shift+C')
    await ada.getByRole('dialog', { name: 'Create New Task' }).waitFor()
  })

  test('of Escape is the dialog, not the toast over it', async () => {
    const { ada } = await site.ownBoard(['jan', 'kim'], ['One'])
    await ada.keyboard.press('Shift+C')
    await ada.getByRole('button', { name: 'Create Task' }).click()
    await toast(ada, 'Title Required', 'Please enter a title for the task.')
    await leave(ada.getByRole('dialog'))
  })

  test('stays where a toast is put away: neither a popover nor a dialog closes', async () => {
    const { ada } = await site.ownBoard(['lea', 'mia'], ['One'])
    const invite = async () => {
      await ada.getByRole('textbox', { name: 'Email address' }).fill('nobody')
      await ada.getByRole('button', { name: 'Invite', exact: true }).click()
      await ada.getByRole('button', { name: 'Dismiss' }).waitFor()
    }
    const dismiss = async () => {
      await ada.getByRole('button', { name: 'Dismiss' }).click()
      await ada.getByRole('button', { name: 'Dismiss' }).waitFor({ state: 'detached' })
    }
    await ada.getByRole('button', { name: 'Invite Members' }).click()
    await invite()
    await dismiss()
    await invite()
    await leave(ada.getByRole('dialog'))
    await card(ada, 'One').click()
    await ada.getByRole('dialog', { name: 'One' }).waitFor()
    await dismiss()
    expect(await ada.getByRole('dialog', { name: 'One' }).count()).toBe(1)
  })
})

inChromium('a card that is dropped', (site) => {
  test('beside the cards goes to the gap at its height, on the header to the top', async () => {
    const { ada, bob } = await site.sharedBoard(['lou', 'max'], ['One', 'Two', 'Three'])
    await drag(card(ada, 'Three'), column(ada, 'To Do').getByRole('heading'))
    await shows(bob, 'To Do', ['Three', 'One', 'Two'])
    const [second, region] = await Promise.all([card(ada, 'One').boundingBox(), column(ada, 'To Do').boundingBox()])
    if (!second || !region) throw new Error('the cards are not there')
    const besideOne = { x: 3, y: second.y - region.y + 4 }
    await drag(card(ada, 'Two'), column(ada, 'To Do'), { targetPosition: besideOne })
    await shows(bob, 'To Do', ['Three', 'Two', 'One'])
  })
})

inChromium('a pointer that rests on a column', (site) => {
  test('is on no card while they scroll past it, and on the one that stops there', async () => {
    const titles = Array.from({ length: 40 }, (_, nth) => `Task ${nth + 10}`)
    const { ada } = await site.ownBoard(['ina', 'jon'], titles)
    await card(ada, 'Task 13').hover()
    const box = await card(ada, 'Task 13').boundingBox()
    if (!box) throw new Error('the card is not there')
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const isOn = await ada.evaluate(async ({ x, y }) => {
      const cardAt = () => document.elementFromPoint(x, y)?.closest('[data-task]') ?? null
      const scroller = document.querySelector('section[aria-label="To Do"] ul')?.parentElement
      const seen: boolean[] = [cardAt() !== null]
      for (let nth = 1; nth <= 5; nth++) {
        const scrolled = new Promise((resolve) => scroller?.addEventListener('scroll', resolve, { once: true }))
        scroller?.scrollBy(0, 100)
        await scrolled
        seen.push(cardAt() !== null)
      }
      return seen
    }, at)
    expect(isOn).toEqual([true, false, false, false, false, false])
    const stopped = ada.locator('[data-task]:hover')
    await stopped.waitFor()
    expect(await stopped.textContent()).not.toContain('Task 13')
    // One that still glides a little looks as if it stood: a click opens it.
    const title = await ada.evaluate(async ({ x, y }) => {
      const list = document.querySelector('section[aria-label="To Do"] ul')
      const under = document.elementFromPoint(x, y)?.closest('[data-task]')
      const scrolled = new Promise((resolve) => list?.parentElement?.addEventListener('scroll', resolve, { once: true }))
      list?.parentElement?.scrollBy(0, 1)
      await scrolled
      const target = document.elementFromPoint(x, y)
      target?.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: x, clientY: y }))
      return target === list && under?.querySelector('p')?.textContent
    }, at)
    if (!title) throw new Error('the list was not before its cards')
    await ada.getByRole('dialog').getByText(title, { exact: true }).first().waitFor()
    await leave(ada.getByRole('dialog'))
    // To select text from one card to another, as one can where cards are not dragged, is no click.
    await ada.evaluate(({ x, y }) => {
      const cards = document.querySelectorAll('section[aria-label="To Do"] [data-task]')
      if (cards[0] && cards[1]) getSelection()?.setBaseAndExtent(cards[0], 0, cards[1], 1)
      const click = new MouseEvent('click', { bubbles: true, clientX: x, clientY: y })
      document.querySelector('section[aria-label="To Do"] ul')?.dispatchEvent(click)
      getSelection()?.empty()
    }, at)
    await ada.keyboard.press('Shift+C')
    await ada.getByRole('dialog', { name: 'Create New Task' }).waitFor()
    expect(await ada.getByRole('dialog').count()).toBe(1)
    expect(new URL(ada.url()).hash).toBe('')
  })
})

/** How thick the ring around the field with the focus is. */
const ring = (page: Page) =>
  page.evaluate(async () => {
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))
    const { boxShadow, outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
    const widths = [...boxShadow.matchAll(/0px 0px 0px (\d)px/g)].map(([, width]) => Number(width))
    return Math.max(0, outlineStyle === 'none' ? 0 : Number.parseInt(outlineWidth, 10), ...widths)
  })

inChromium('the ring of the focus', (site) => {
  test('is for fields and for the keyboard: not for a button that a click, or a dialog after it, gives the focus', async () => {
    const { ada } = await site.ownBoard(['uma', 'vito'], ['One'])
    const filter = ada.getByLabel('Filter tasks by text')
    await filter.click()
    expect(await ring(ada)).toBe(2)
    await ada.keyboard.type('On')
    expect(await ring(ada)).toBe(2)
    await ada.keyboard.press('Tab')
    expect(await ring(ada)).toBe(2)
    await ada.getByLabel('Assignee').click()
    await ada.getByLabel('Assignee').selectOption('')
    expect(await ring(ada)).toBe(2)
    await column(ada, 'To Do').getByRole('button', { name: 'Add Task' }).click()
    await column(ada, 'To Do').getByRole('button', { name: 'Create New Task' }).click()
    await ada.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'))
    expect(await ring(ada)).toBe(2)
    await ada.getByRole('button', { name: 'Cancel' }).click()
    await ada.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await ring(ada)).toBeLessThan(2)
    await ada.getByRole('button', { name: 'Close new task' }).click()
    await ada.keyboard.press('Shift+C')
    await ada.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'))
    expect(await ring(ada)).toBe(2)
    await keys(ada, 'Escape', 'Control+k')
    // Of the finder's field, the line below is as thick.
    await ada.waitForFunction(() => {
      const field = document.activeElement
      if (!field?.matches('[role=combobox]') || !field.parentElement) return false
      const { height, backgroundColor } = getComputedStyle(field.parentElement, '::after')
      return height === '2px' && backgroundColor === getComputedStyle(field).color
    })
  })
})

inChromium('a toast', (site) => {
  const OPEN = ':is([role=dialog], [role=alertdialog])'
  const place = (page: Page) => page.locator(OPEN).boundingBox()
  /** Waits until notices are in sight beside whatever can be pressed or typed into, with the dialog or popover where it was. */
  const areBeside = (page: Page, within: string) =>
    page.waitForFunction((open) => {
      const boxes = (selector: string) =>
        [...document.querySelectorAll(selector)]
          .filter((one) => {
            // What is scrolled out of sight is not there.
            const [box, list] = [
              one.getBoundingClientRect(),
              one.parentElement?.closest('.overflow-y-auto')?.getBoundingClientRect(),
            ]
            return box.width > 0 && (!list || (box.bottom > list.top && box.top < list.bottom))
          })
          .map((one) => one.getBoundingClientRect())
      const [notices, controls] = [boxes('[data-toast]'), boxes(`${open} :is(button, a, input, textarea, select)`)]
      const meet = (a: DOMRect, b: DOMRect) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
      const isSeen = ({ left, top, right, bottom }: DOMRect) =>
        left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
      return notices.length * controls.length > 0 && notices.every((a) => isSeen(a) && !controls.some((b) => meet(a, b)))
    }, within)
  const isBeside = async (page: Page, before: unknown) => {
    await areBeside(page, OPEN)
    expect(await place(page)).toEqual(before as never)
  }
  /** Neither over where tasks are added, nor over what is below a popover. */
  const isBesideColumns = (page: Page) => areBeside(page, 'main section')

  for (const [width, height] of [
    [390, 844],
    [820, 1180],
    [1440, 800],
  ] as const)
    test(`moves nothing, and is over nothing that one works in, at ${width} px`, async () => {
      const { ada } = await site.ownBoard([`will${width}`, `xena${width}`], ['One', 'Two'], { viewport: { width, height } })
      await ada.getByRole('button', { name: 'Invite Members' }).click()
      await ada.getByRole('textbox', { name: 'Email address' }).fill('nobody')
      await ada.getByRole('button', { name: 'Invite', exact: true }).click()
      await ada.getByRole('dialog').getByText('Nobody has an account').waitFor()
      await toast(ada, 'Invitation Failed')
      await isBeside(ada, await place(ada))
      if (width > 800) await isBesideColumns(ada)
      await ada.keyboard.press('Escape')
      await column(ada, 'Done').getByRole('button', { name: 'Add Task' }).click()
      await type(ada, 'Three', 'Enter')
      await toast(ada, 'Task Created')
      await isBesideColumns(ada)
      await keys(ada, 'Escape', 'Shift+C')
      await ada
        .getByRole('dialog')
        .getByRole('textbox', { name: /^Description/ })
        .fill('A line\n'.repeat(40))
      const creating = await place(ada)
      await isBeside(ada, creating)
      await ada.getByRole('button', { name: 'Create Task' }).click()
      await ada.getByRole('dialog').getByText('Please enter a title').waitFor()
      await toast(ada, 'Title Required')
      await isBeside(ada, await place(ada))
      await ada.getByRole('button', { name: 'Cancel' }).click()
      await ada.getByRole('button', { name: 'Dismiss' }).click()
      await card(ada, 'One').click()
      const reading = await place(ada)
      await enter(ada.getByLabel('New comment'), 'Soon', 'Control+Enter')
      await ada.getByRole('button', { name: 'Delete comment' }).click()
      await ada.getByRole('button', { name: 'Undo' }).waitFor()
      await toast(ada, 'Comment Deleted')
      await isBeside(ada, reading)
      await ada.getByRole('button', { name: 'Dismiss' }).click()
      expect(await place(ada)).toEqual(reading)
    })
})

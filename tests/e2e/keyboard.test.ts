import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { button, card, column, dialog, heldBack, isOn, keys, leave, shows } from '../support/page'
import { logger } from './timePages'

const spoken = (page: Page, text: string) =>
  page.locator('[aria-live=assertive]').filter({ hasText: text }).waitFor({ state: 'attached' })

/** Presses keys, on whatever has the focus at that moment, before the page has its next frame. */
const pressWithinOneFrame = (page: Page, keys: string[]) =>
  page.evaluate(async (pressed) => {
    const held: FrameRequestCallback[] = []
    const { requestAnimationFrame } = window
    window.requestAnimationFrame = (callback) => held.push(callback)
    for (const key of pressed) {
      const rendered = Promise.withResolvers<void>()
      const observer = new MutationObserver(() => rendered.resolve())
      // Each key is answered in words at least.
      observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      await rendered.promise
      observer.disconnect()
    }
    window.requestAnimationFrame = requestAnimationFrame
    for (const callback of held) requestAnimationFrame(callback)
  }, keys)

/** The focus follows in a frame, which does not come until it is let go. */
async function frameHeldBack(page: Page) {
  const held = await page.evaluateHandle(() => {
    const callbacks: FrameRequestCallback[] = []
    const { requestAnimationFrame } = window
    window.requestAnimationFrame = (callback) => callbacks.push(callback)
    return { callbacks, requestAnimationFrame }
  })
  return () =>
    held.evaluate(({ callbacks, requestAnimationFrame }) => {
      window.requestAnimationFrame = requestAnimationFrame
      for (const callback of callbacks) window.requestAnimationFrame(callback)
    })
}

const focusIsOn = (page: Page, title: string) =>
  page.waitForFunction(
    (title) => document.activeElement?.matches('[data-task]') && document.activeElement.textContent?.includes(title),
    title,
  )

inChromium('the board by keyboard', (site) => {
  test('a card that is dropped where it was picked up has not moved', async () => {
    const { ada, bob } = await site.sharedBoard(['kai', 'liv'], ['One', 'Two'])
    const moves: string[] = []
    ada.on('request', (request) => request.url().includes('tasks.update') && moves.push(request.url()))
    await card(ada, 'One').focus()
    await keys(ada, 'Space', 'Space')
    await spoken(ada, 'One dropped, To Do, position 1.')
    await keys(ada, 'Space', 'ArrowDown', 'Space')
    await shows(bob, 'To Do', ['Two', 'One'])
    expect(moves).toHaveLength(1)
  })

  test('keys go on working where somebody deletes the card that is picked up', async () => {
    const { ada } = await site.ownBoard(['kian', 'lars'], ['One', 'Two'])
    await card(ada, 'One').focus()
    await ada.keyboard.press('Space')
    await spoken(ada, 'One picked up')
    const path = `/api/tasks/${await card(ada, 'One').getAttribute('data-task')}`
    await ada.request.delete(path)
    await shows(ada, 'To Do', ['Two'])
    await ada.request.post(`${path}/restore`)
    await shows(ada, 'To Do', ['One', 'Two'])
    expect(await card(ada, 'One').getAttribute('aria-pressed')).toBeNull()
    await card(ada, 'Two').focus()
    await ada.keyboard.press('3')
    await shows(ada, 'Done', ['Two'])
  })

  test('a card is picked up, moved, dropped and put back, and each step is spoken', async () => {
    const { ada, bob } = await site.sharedBoard(['kay', 'lee'], ['One', 'Two', 'Three'])
    await card(ada, 'One').focus()
    await ada.keyboard.press('Space')
    await spoken(ada, 'One picked up, To Do, position 1 of 3.')
    await ada.keyboard.press('ArrowDown')
    await spoken(ada, 'To Do, position 2 of 3')
    await shows(ada, 'To Do', ['Two', 'One', 'Three'])
    await ada.keyboard.press('Escape')
    await spoken(ada, 'One is back in its place.')
    await shows(ada, 'To Do', ['One', 'Two', 'Three'])

    await keys(ada, 'Space', 'ArrowRight')
    await shows(ada, 'In Progress', ['One'])
    await focusIsOn(ada, 'One')
    await ada.keyboard.press('Escape')
    await shows(ada, 'To Do', ['One', 'Two', 'Three'])
    await focusIsOn(ada, 'One')

    await keys(ada, 'Space', 'ArrowRight')
    await spoken(ada, 'In Progress, position 1 of 1')
    await ada.keyboard.press('Space')
    await spoken(ada, 'One dropped, In Progress, position 1.')
    await shows(bob, 'In Progress', ['One'])
    await shows(bob, 'To Do', ['Two', 'Three'])
    await focusIsOn(ada, 'One')

    await card(ada, 'Two').focus()
    await ada.keyboard.press('Shift+F10')
    await ada.getByRole('menu', { name: 'Two' }).press('End')
    const letGo = await heldBack(ada, 'tasks.delete')
    await ada.keyboard.press('Enter')
    await focusIsOn(ada, 'Three')
    // What was done last is undone, though it is not answered yet.
    await ada.keyboard.press('Control+z')
    await letGo()
    await shows(ada, 'To Do', ['Two', 'Three'])
    await shows(ada, 'In Progress', ['One'])
    await ada.keyboard.press('Enter')
    await ada.getByRole('dialog').getByRole('button', { name: 'Delete Task' }).press('Enter')
    await focusIsOn(ada, 'Two')
  })

  test('the focus goes with its card where a move is undone, and where somebody else moves it', async () => {
    const { ada, bob } = await site.sharedBoard(['kirk', 'lola'], ['One', 'Two'])
    await card(ada, 'One').focus()
    await keys(ada, 'Space', 'ArrowRight', 'Space')
    await shows(bob, 'In Progress', ['One'])
    await ada.keyboard.press('Control+z')
    await shows(ada, 'In Progress', [])
    await focusIsOn(ada, 'One')
    await shows(bob, 'To Do', ['One', 'Two'])
    await card(bob, 'One').focus()
    await keys(bob, 'Space', 'ArrowRight', 'ArrowRight', 'Space')
    await shows(ada, 'Done', ['One'])
    await focusIsOn(ada, 'One')
    // Whoever left the card is left alone.
    await ada.mouse.click(700, 8)
    await bob.keyboard.press('Control+z')
    await shows(ada, 'To Do', ['One', 'Two'])
    const isOnCard = () =>
      ada.evaluate(async () => {
        for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
        return document.activeElement?.matches('[data-task]')
      })
    expect(await isOnCard()).toBe(false)
    await card(ada, 'One').click()
    await dialog(ada, 'One').waitFor()
    await button(ada, 'Close').last().click()
    await focusIsOn(ada, 'One')
    await card(bob, 'One').focus()
    await keys(bob, 'Space', 'ArrowRight', 'Space')
    await shows(ada, 'In Progress', ['One'])
    expect(await isOnCard()).toBe(false)
  })

  test('no key is lost on the way to another column, however fast', async () => {
    const { ada, bob } = await site.sharedBoard(['kim', 'lou'], ['One', 'Two'])
    await card(ada, 'One').focus()
    await pressWithinOneFrame(ada, [' ', 'ArrowRight', 'ArrowRight', ' '])
    await spoken(ada, 'One dropped, Done, position 1.')
    await shows(bob, 'Done', ['One'])
  })

  test('arrows walk the cards, Enter opens one, Escape closes it and gives the focus back', async () => {
    const { ada } = await site.ownBoard(['mia', 'ned'], ['One', 'Two'])
    // From nowhere they lead to the first; so they do from the board that the page's first stop skips to.
    await ada.reload()
    await card(ada, 'One').waitFor()
    await ada.keyboard.press('Tab')
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent === 'Skip to the board')
    await ada.keyboard.press('Enter')
    await ada.waitForFunction(() => document.activeElement?.id === 'board')
    await ada.keyboard.press('ArrowRight')
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent?.includes('One'))
    await ada.reload()
    await card(ada, 'One').waitFor()
    await ada.keyboard.press('ArrowDown')
    await focusIsOn(ada, 'One')
    await ada.reload()
    await card(ada, 'One').waitFor()
    const letGo = await frameHeldBack(ada)
    await keys(ada, 'ArrowDown', 'ArrowDown')
    await letGo()
    await focusIsOn(ada, 'Two')
    await ada.keyboard.press('Enter')
    await ada.getByRole('dialog').waitFor()
    expect(new URL(ada.url()).hash).toMatch(/^#task-\d+$/)
    await leave(ada.getByRole('dialog'))
    await ada.waitForFunction(() => document.querySelector(':focus')?.textContent?.includes('Two'))
    await ada.keyboard.press('Shift+C')
    await ada.getByRole('heading', { name: 'Create New Task' }).waitFor()
  })

  test('a card far away gets the focus, however fast the keys come', async () => {
    const { ada, boardId } = await site.ownBoard(['fay', 'fox'], ['First', ...Array<string>(38).fill('Between'), 'Last'])
    const done = [...Array<string>(39).fill('Between'), 'Beside']
    for (const title of done) await ada.request.post(`/api/boards/${boardId}/tasks`, { data: { title, status: 'done' } })
    await ada.getByRole('heading', { name: 'Done 40' }).waitFor()
    const focused = (title: string) =>
      ada.waitForFunction((label) => document.querySelector(':focus')?.textContent === label, title)
    await card(ada, 'First').focus()
    for (let pressed = 1; pressed < 40; pressed++) await ada.keyboard.press('ArrowDown')
    await focused('Last')
    await ada.keyboard.press('ArrowRight')
    await focused('Last')
    await ada.keyboard.press('Shift+C')
    await ada.getByLabel('Task Title').fill('Newest')
    await ada.getByRole('button', { name: 'Create Task' }).click()
    await focused('Newest')
    // Scrolled out of sight, it keeps the focus.
    await column(ada, 'To Do')
      .getByRole('list')
      .evaluate((list) => list.parentElement?.scrollTo(0, 0))
    await card(ada, 'First').waitFor()
    await ada.getByText('Last', { exact: true }).waitFor({ state: 'detached' })
    await focused('Newest')
    // Of an empty column there is nothing beside it; a card that is moved there comes to stand opposite the last one.
    await keys(ada, 'Space', 'ArrowRight', 'Space')
    await spoken(ada, 'Newest dropped, In Progress, position 1.')
    await focused('Newest')
    await ada.keyboard.press('ArrowRight')
    await focused('Between')
    for (let pressed = 1; pressed < 40; pressed++) await ada.keyboard.press('ArrowDown')
    await focused('Beside')
  })

  test('what was typed into a task outlives a reload, is saved by Escape, and is sent only where it differs', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['oda', 'pim'], ['One'])
    await card(ada, 'One').click()
    await ada.getByRole('textbox', { name: 'Description' }).fill('half a thought')
    await ada.reload()
    expect(await ada.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('half a thought')
    const tasks = await (await bob.request.get(`/api/boards/${boardId}/tasks`)).json()
    await bob.request.patch(`/api/tasks/${tasks[0].id}`, { data: { title: 'Uno' } })
    await ada.keyboard.press('Escape')
    await bob.getByText('half a thought').waitFor()
    await shows(ada, 'To Do', ['Uno'])
  })
})

inChromium('by keyboard, the focus', (site) => {
  test('is in the field for who is invited, is given back by questions, and stays with the last page', async () => {
    const { ada } = await site.ownBoard(['quin', 'rhea'], ['One'])
    await button(ada, 'Invite Members').press('Enter')
    await ada.getByLabel('Email address').and(ada.locator(':focus')).waitFor()
    await ada.keyboard.press('Escape')
    await isOn(ada, 'Invite Members')
    const log = logger(Number(await card(ada, 'One').getAttribute('data-task')))
    for (let duration = 1; duration <= 11; duration++) await log(ada, { duration })
    await button(ada, 'Time Logs').press('Enter')
    const deletion = button(ada, 'Delete time entry')
    await deletion.first().press('Enter')
    await isOn(ada, 'Cancel')
    await ada.keyboard.press('Tab')
    await isOn(ada, 'Delete')
    await ada.keyboard.press('Escape')
    await isOn(ada, 'Delete time entry')
    await button(ada, 'Next page').press('Enter')
    await deletion.nth(1).waitFor({ state: 'detached' })
    await ada.keyboard.press('Enter')
    await isOn(ada, 'Next page')
  })

  test('is where it was once a payment was declined, and once a period has ended', async () => {
    const ada = await site.dashboard('sami')
    await ada.goto('/subscribe')
    await button(ada, 'Simulate a declined card').press('Enter')
    await ada.getByText('Your card was declined.').first().waitFor()
    await isOn(ada, 'Simulate a declined card')
    await button(ada, 'Subscribe for $10 CAD/month').press('Enter')
    await ada.waitForURL((url) => url.pathname === '/' && url.search === '')
    await ada.goto('/sami?tab=subscription')
    await button(ada, 'End billing period').press('Enter')
    await ada.getByText(/^Your subscription was renewed/).waitFor()
    await isOn(ada, 'End billing period')
    await ada.request.post('/api/cancel-subscription')
    await button(ada, 'Resume Subscription').waitFor()
    // This time the button is gone with what it ended.
    await ada.keyboard.press('Enter')
    await isOn(ada, 'Free Plan')
  })
})

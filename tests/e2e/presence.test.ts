import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findsNothing } from '../support/axe'
import { inChromium, sharedBoard } from '../support/chromium'
import { card, column, dialog, drag, press, shows } from '../support/page'

type Glide = { of: string; duration: unknown }
declare global {
  var noted: Glide[]
}

/** Notes what the page has moved by itself, and how long that takes. */
const noteGlides = (page: Page) =>
  page.addInitScript(() => {
    globalThis.noted = []
    const animate = Element.prototype.animate
    Element.prototype.animate = function (frames, options) {
      const moves = JSON.stringify(frames).includes('translate')
      const duration = typeof options === 'object' ? options.duration : options
      if (moves) globalThis.noted.push({ of: this.querySelector('p')?.textContent ?? '', duration })
      return animate.call(this, frames, options)
    }
  })

const glides = (page: Page) => page.evaluate(() => globalThis.noted.splice(0))
const nameAt = (page: Page, title: string, name: string) =>
  page
    .getByRole('listitem')
    .filter({ has: card(page, title) })
    .getByText(name, { exact: true })
const gone = { state: 'detached' } as const

inChromium('others are there', (site) => {
  test('on the board, in a task, and with a timer that runs', async () => {
    const { ada, bob } = await site.sharedBoard(['abby', 'bram'], ['One', 'Two'], { bob: { colorScheme: 'dark' } })
    const ring = ada.getByRole('link', { name: 'Bram is here' })
    await ring.waitFor()
    await bob.getByRole('link', { name: 'Abby is here' }).waitFor()
    expect(await ada.getByRole('link', { name: 'Abby is here' }).count()).toBe(0)
    await press(ada, 'Invite Members')
    await ada.getByText('Here now').waitFor()
    await findsNothing(ada, 'who is here')
    await ada.keyboard.press('Escape')

    await card(bob, 'One').click()
    const edge = ada
      .getByRole('listitem')
      .filter({ has: card(ada, 'One') })
      .locator('[aria-hidden] [class*=outline-done]')
    await edge.waitFor()
    await press(bob, 'Start timer')
    await ada.getByRole('button', { name: 'One Bram’s timer is running' }).getByText('0h 0m').waitFor()
    await card(ada, 'One').click()
    await dialog(ada, 'One').getByText('Bram is here').waitFor()
    await dialog(bob, 'One').getByText('Abby is here').waitFor()
    await findsNothing(bob, 'a task that somebody is in')
    await ada.keyboard.press('Escape')
    await dialog(bob, 'One').getByText('Abby is here').waitFor(gone)
    await dialog(bob, 'One').getByRole('button', { name: 'Pause' }).click()
    await ada.getByRole('button', { name: 'timer is running' }).waitFor(gone)
    await bob.goto('/')
    await ring.waitFor(gone)
    await edge.waitFor(gone)
  })

  test('a card that somebody else moves glides, with its neighbours, and bears a name; one’s own does not', async () => {
    const [ada, bob] = await Promise.all([site.open('ada', { reducedMotion: 'no-preference' }), site.open('bob')])
    await Promise.all([noteGlides(ada), noteGlides(bob)])
    const boardId = await sharedBoard(ada, bob, ['anke', 'bela'], ['One', 'Two', 'Three'])
    await drag(card(bob, 'One'), column(bob, 'Done').getByRole('heading'))
    await nameAt(ada, 'One', 'Bela').waitFor()
    await shows(ada, 'Done', ['One'])
    expect(await glides(ada)).toEqual(['Two', 'Three', 'One'].map((of) => ({ of, duration: 160 })))
    await nameAt(ada, 'One', 'Bela').waitFor(gone)
    expect(await ada.locator('body > [aria-hidden] > p').count()).toBe(0)

    await drag(card(ada, 'One'), column(ada, 'In Progress').getByRole('heading'))
    await shows(bob, 'In Progress', ['One'])
    await nameAt(bob, 'One', 'Anke').waitFor()
    await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Four' } })
    await nameAt(ada, 'Four', 'Bela').waitFor()
    expect([await glides(ada), await glides(bob)]).toEqual([[], []])
  })
})

import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { card, column, dialog, drag, leave } from '../support/page'

inChromium('the page', (site) => {
  test('styles but a part of itself where a dialog opens and closes, and where a card is dragged', async () => {
    const { ada, boardId } = await site.ownBoard(['abel', 'beda'], [])
    for (let nth = 100; nth < 148; nth++) {
      const data = { title: `Card ${nth}`, status: ['todo', 'inprogress', 'done'][nth % 3] }
      await ada.request.post(`/api/boards/${boardId}/tasks`, { data })
    }
    for (const name of ['To Do 16', 'In Progress 16', 'Done 16']) await ada.getByRole('heading', { name }).waitFor()
    const openAndClose = async () => {
      await card(ada, 'Card 101').click()
      await dialog(ada, 'Card 101').waitFor()
      await leave(dialog(ada, 'Card 101'))
    }
    const dragAway = async () => {
      await drag(card(ada, 'Card 102'), column(ada, 'Done'))
      await column(ada, 'Done').getByText('Card 102').waitFor()
    }
    // The first time loads what it needs.
    await openAndClose()
    const elements = await ada.evaluate(() => document.body.querySelectorAll('*').length)
    for (const work of [openAndClose, dragAway]) {
      const most = await mostStyled(ada, work)
      expect([most > 0, most < elements / 2]).toEqual([true, true])
    }
  })
})

type Traced = { name: string; args: { elementCount?: number } }

/** How many elements Chromium styled at once, at most, as its trace says. */
async function mostStyled(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'devtools.timeline'] })
  let traced: Buffer | undefined
  try {
    await work()
  } finally {
    traced = await browser?.stopTracing()
  }
  const trace: { traceEvents: Traced[] } = JSON.parse(String(traced))
  const counts = trace.traceEvents.filter(({ name }) => name === 'UpdateLayoutTree').map(({ args }) => args.elementCount ?? 0)
  return Math.max(...counts)
}

import type { Page } from 'playwright-core'

/** Runs in the page, before all else: marks its frames for a trace while they are counted. */
export function watch() {
  let next = 0
  const tick = () => {
    performance.mark('frame')
    next = requestAnimationFrame(tick)
  }
  const countFrames = (counts: boolean) => {
    // A mark that came late would be taken for one of the page that is measured next.
    cancelAnimationFrame(next)
    if (counts) next = requestAnimationFrame(tick)
  }
  Object.assign(globalThis, { countFrames })
}

const CARDS = 120

/** Makes of an open board a page without script, with more cards of its first column, which a browser drags by itself. */
export async function makePlain(page: Page) {
  const cards = await page.evaluate(collectCards, CARDS)
  const html = (await page.content()).replace(/<script[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g, '')
  const { origin } = new URL(page.url())
  await page.route(`${origin}/plain`, (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(`${origin}/plain`)
  await page.evaluate(layOut, cards)
}

async function collectCards(count: number): Promise<string[]> {
  const list = document.querySelector('section[aria-label="To Do"] ul')
  const cards = new Map<number, string>()
  for (let step = 0; list?.parentElement && cards.size < count && step < count; step++) {
    for (const item of list.querySelectorAll<HTMLElement>('li.item')) cards.set(Number(item.dataset.index), item.outerHTML)
    list.parentElement.scrollTop += 400
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }
  return [...cards].toSorted(([a], [b]) => a - b).map(([, html]) => html)
}

function layOut(cards: string[]) {
  const [list] = document.querySelectorAll<HTMLElement>('section[aria-label] ul')
  if (list) list.innerHTML = cards.join('')
  for (const item of document.querySelectorAll<HTMLElement>('li.item'))
    Object.assign(item.style, { position: 'relative', top: '', marginBottom: '8px' })
  for (const each of document.querySelectorAll<HTMLElement>('section[aria-label] ul')) each.style.height = ''
  for (const card of document.querySelectorAll<HTMLElement>('[data-task]')) card.draggable = true
}

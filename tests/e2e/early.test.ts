import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { inChromium } from '../support/chromium'
import { dialog } from '../support/page'

/** How far a page has come: its HTML, its router, the router's first load, React's first drawing, the app. */
const MOMENTS = ['shown', 'routed', 'loading', 'drawing', 'drawn'] as const
type Moment = (typeof MOMENTS)[number]

/** Clicks what `what` selects, or goes back, in the first task in which the page has come that far; then it is known where that was. */
async function early(page: Page, moment: Moment, what: string) {
  await page.addInitScript(
    ([moment, what]) => {
      let isLoading = false
      const fetch = window.fetch
      window.fetch = Object.assign((...given: Parameters<typeof fetch>) => {
        isLoading = true
        return fetch(...given)
      }, fetch)
      const knows = (element: Element | null | undefined, key: string) =>
        !!element && Object.keys(element).some((name) => name.startsWith(key))
      const root = () => document.getElementById('root')
      const isDrawn = () => knows(root()?.firstElementChild, '__react')
      const isShown = () => root()?.querySelector('[aria-busy]')
      const has = {
        shown: isShown,
        routed: () => isShown() && history.state?.__TSR_key,
        loading: () => isLoading,
        drawing: () => knows(root(), '__reactContainer'),
        drawn: isDrawn,
      }
      // React takes its tasks from a channel too, and so cannot draw between two looks.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        const target = document.querySelector<HTMLElement>(what)
        if (!has[moment]() || !(target ?? what === 'back')) return port2.postMessage(0)
        document.documentElement.dataset.early = isDrawn() ? 'in the app' : 'before the app'
        if (target) target.click()
        else history.back()
      }
      port2.postMessage(0)
    },
    [moment, what] as const,
  )
  return () => page.evaluate(() => document.documentElement.dataset.early)
}

inChromium('before the app is there', (site) => {
  const where = (moment: Moment) => (moment === 'drawn' ? 'in the app' : 'before the app')

  test('a click on a card opens it, and Back closes it', async () => {
    const { ada, boardId: id } = await site.ownBoard(['early', 'late'], ['Launch'])
    for (const moment of MOMENTS) {
      const page = await ada.context().newPage()
      const when = await early(page, moment, 'main a[href^="#task-"], [data-task]')
      await page.goto(`/board/${id}`, { waitUntil: 'commit' })
      await dialog(page, 'Launch').waitFor()
      expect(await when()).toBe(where(moment))
      await page.goBack()
      await page.getByRole('button', { name: 'Log out' }).waitFor()
      expect(new URL(page.url()).hash).toBe('')
      await page.close()
    }
  })

  test('Back leads back', async () => {
    const { ada } = await site.ownBoard(['early3', 'late3'], ['Launch'])
    for (const moment of MOMENTS) {
      const page = await ada.context().newPage()
      await page.goto('/time')
      await page.getByRole('link', { name: 'Spring catalogue' }).click()
      await page.locator('[data-task]').waitFor()
      const when = await early(page, moment, 'back')
      await page.reload({ waitUntil: 'commit' })
      await page.getByRole('heading', { name: 'My time' }).waitFor()
      expect(await when()).toBe(where(moment))
      await page.close()
    }
  })
})

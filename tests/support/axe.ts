import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe has against a page. */
export async function findings(page: Page) {
  // The policy of the page forbids added script elements, so axe comes in as the debugger's own.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    // axe was defined by the line above.
    (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200)}`),
  )
}

import { expect } from 'bun:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Fails, saying where, if axe has anything against a page; whatever fades or glides comes to its end first. */
export async function findsNothing(page: Page, where: string): Promise<void> {
  // The policy of the page forbids added script elements, so axe comes in as the debugger's own.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
    for (let all = moving(); all.length > 0; all = moving()) await Promise.allSettled(all.map(({ finished }) => finished))
    // axe was defined by the line above.
    return (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
  })
  const findings = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200)}`),
  )
  expect([where, ...findings]).toEqual([where])
}

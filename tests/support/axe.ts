import { expect } from 'bun:test'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const source = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()

/** Fails, saying where, if axe has anything against a page; whatever fades or glides comes to its end first. */
export async function findsNothing(page: Page, where: string): Promise<void> {
  // The policy of the page forbids added script elements, so axe comes in as the debugger's own.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const { violations, endless } = await page.evaluate(async () => {
    const running = () => document.getAnimations().filter(({ playState }) => playState === 'running')
    const isEndless = ({ effect }: Animation) => effect?.getComputedTiming().endTime === Infinity
    const moving = () => running().filter((animation) => !isEndless(animation))
    for (let all = moving(); all.length > 0; all = moving()) await Promise.allSettled(all.map(({ finished }) => finished))
    // It was defined above.
    const checker = (window as unknown as { axe: typeof axe }).axe
    // As axe has it, and hints: one comes where the pointer happens to rest, and needs no landmark of its own.
    checker.configure({
      checks: [{ id: 'region', options: { regionMatcher: 'dialog, [role=dialog], [role=alertdialog], svg, [role=tooltip]' } }],
    })
    const { violations } = await checker.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
      rules: { 'label-content-name-mismatch': { enabled: true } },
    })
    const endless = matchMedia('(prefers-reduced-motion: reduce)').matches ? running().filter(isEndless).length : 0
    return { violations, endless }
  })
  expect({ where, endless }).toEqual({ where, endless: 0 })
  const findings = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 200)}`),
  )
  expect([where, ...findings]).toEqual([where])
}

/** The same of the page in light and in dark, in which it stays. */
export async function findsNothingInBoth(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await findsNothing(page, `${where}, ${colorScheme}`)
  }
}

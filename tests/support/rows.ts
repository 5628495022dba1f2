import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { toast } from './chromium'

/** A row of the specification, and what the running page must do for it: a failure names the row. */
export async function row(says: string, holds: () => Promise<unknown>): Promise<void> {
  try {
    await holds()
  } catch (cause) {
    throw new Error(`The page does not do as product.md says: ${says}`, { cause })
  }
}

/** Rows that other tests drive: each has these words still, in one file. */
export function drivenIn(file: string, rows: Record<string, string[]>): void {
  test.each(Object.entries(rows))(`${file} drives: %s`, async (_, words) => {
    const text = await Bun.file(join(import.meta.dir, '../e2e', file)).text()
    expect(words.filter((word) => !text.includes(word))).toEqual([])
  })
}

/** Waits until all of these are on the page. */
export const says = (page: Page, ...texts: (string | RegExp)[]) =>
  Promise.all(texts.map((text) => page.getByText(text).first().waitFor()))

/** Waits until there are links of these names, and answers where they lead. */
export const leads = (page: Page, ...names: string[]) =>
  Promise.all(names.map((name) => page.getByRole('link', { name, exact: true }).first().getAttribute('href')))

/** Waits for a toast and sends it away, so that it covers nothing that is pressed next. */
export async function told(page: Page, title: string, text?: string): Promise<void> {
  await toast(page, title, text)
  await page.getByRole('button', { name: 'Dismiss' }).click()
}

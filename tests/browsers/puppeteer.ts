import { type KeyInput, launch, type SupportedBrowser } from 'puppeteer-core'
import { PATIENCE_MS, type Tab } from './tab'

export async function openWithPuppeteer(browser: SupportedBrowser, executablePath: string): Promise<Tab> {
  const window = await launch({ browser, executablePath, headless: true, args: browser === 'chrome' ? ['--no-sandbox'] : [] })
  const page = await window.newPage()
  await page.setViewport({ width: 1280, height: 800 })
  page.setDefaultTimeout(PATIENCE_MS)
  const at = (place: string) => page.locator(`xpath/.${place}`)
  return {
    goto: async (url) => void (await page.goto(url)),
    until: async (script) => void (await page.waitForFunction(script)),
    evaluate: (script) => page.evaluate(script) as never,
    click: (place) => at(place).click(),
    async type(place, text) {
      await at(place).click()
      await page.keyboard.type(text)
    },
    press: (key) => page.keyboard.press(key as KeyInput),
    async choose(place, file) {
      const input = await page.waitForSelector(`xpath/.${place}`)
      await (input as NonNullable<typeof input> & { uploadFile(path: string): Promise<void> }).uploadFile(file)
    },
    picture: () => page.screenshot(),
    close: () => window.close(),
  }
}

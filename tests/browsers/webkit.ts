import { existsSync } from 'node:fs'
import { Builder, By, Capabilities, Key as Keys, until } from 'selenium-webdriver'
import { until as answered } from '../support/until'
import { PATIENCE_MS, type Tab } from './tab'

const DRIVER = '/usr/bin/WebKitWebDriver'
const FOLDERS = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((machine) => `/usr/lib/${machine}/webkit2gtk-4.1`)
const browser = FOLDERS.map((folder) => `${folder}/MiniBrowser`).find((path) => existsSync(path))

export const hasWebKit = existsSync(DRIVER) && browser !== undefined

/** Needs a display, as `xvfb-run` gives one. */
export async function openWebKit(): Promise<Tab> {
  const port = 4_445
  const process = Bun.spawn([DRIVER, `--port=${port}`], { stdout: 'ignore', stderr: 'ignore' })
  await answered('the driver', async () => (await fetch(`http://127.0.0.1:${port}/status`).catch(() => null))?.ok)
  const options = { binary: browser, args: ['--automation'] }
  const capabilities = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options })
  const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build()
  await driver.manage().window().setRect({ width: 1280, height: 800, x: 0, y: 0 })
  const at = (place: string) => driver.wait(until.elementLocated(By.xpath(place)), PATIENCE_MS)
  const NAMED: Record<string, string> = { Enter: Keys.ENTER, Escape: Keys.ESCAPE, ArrowRight: Keys.ARROW_RIGHT }
  return {
    goto: (url) => driver.get(url),
    until: (script) => driver.wait(() => driver.executeScript<boolean>(`return ${script}`), PATIENCE_MS).then(() => undefined),
    evaluate: (script) => driver.executeScript(`return ${script}`),
    async click(place) {
      await driver.wait(until.elementIsEnabled(await at(place)), PATIENCE_MS)
      await (await at(place)).click()
    },
    type: async (place, text) => (await at(place)).sendKeys(text),
    press: (key) =>
      driver
        .actions()
        .sendKeys(NAMED[key] ?? key)
        .perform(),
    choose: async (place, file) => (await at(place)).sendKeys(file),
    picture: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    async close() {
      await driver.quit()
      process.kill()
      await process.exited
    },
  }
}

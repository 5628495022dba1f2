import { expect } from 'bun:test'
import type { Locator, Page, Route } from 'playwright-core'
import { PASSWORD } from './people'
import { happenings } from './until'

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
export const press = (page: Page, name: string) => button(page, name).click()

/** Opens a menu and takes what it offers. */
export async function choose(page: Page, menu: string, item: string): Promise<void> {
  await press(page, menu)
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Presses keys one after the other, on whatever has the focus. */
export async function keys(page: Page, ...pressed: string[]): Promise<void> {
  for (const key of pressed) await page.keyboard.press(key)
}

/** Types on whatever has the focus, and then presses keys. */
export async function type(page: Page, text: string, ...pressed: string[]): Promise<void> {
  await page.keyboard.type(text)
  await keys(page, ...pressed)
}

/** Fills a field and sends what is in it by a key. */
export async function enter(field: Locator, text: string, key = 'Enter'): Promise<void> {
  await field.fill(text)
  await keys(field.page(), key)
}

/** Leaves a dialog or menu by Escape, and waits until it is gone. */
export async function leave(what: Locator): Promise<void> {
  await keys(what.page(), 'Escape')
  await what.waitFor({ state: 'detached' })
}

/** Waits until what has this name, or else this text, has the focus. */
export const isOn = (page: Page, name: string) =>
  page.waitForFunction(
    (name) => (document.activeElement?.ariaLabel || document.querySelector(':focus')?.textContent) === name,
    name,
  )

/** The element may be drawn anew between two looks at it, so both are one. */
export const hasFocus = (place: Locator) => place.and(place.page().locator(':focus')).waitFor()

export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
export const column = (page: Page, label: string) => page.getByRole('region', { name: label, exact: true })
export const card = (page: Page, title: string) => page.locator('[data-task]').filter({ hasText: title })

/** Fills in the form of the login page and sends it. */
export async function logIn(page: Page, login: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Username or email').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Log In')
}

/** Adds a task by the form at the top of a column, which stays open. */
export async function addTask(page: Page, label: string, title: string): Promise<void> {
  await column(page, label).getByRole('button', { name: 'Add Task' }).click()
  await page.getByLabel('Task Title').fill(title)
  await press(page, 'Create Task')
}

/** What can be dragged, once that has loaded. */
export const drag = (what: Locator, to: Locator, options?: Parameters<Locator['dragTo']>[1]) =>
  what.and(what.page().locator('[draggable=true]')).dragTo(to, options)

/** Waits until a column shows just these cards, in this order. */
export async function shows(page: Page, label: string, titles: string[]): Promise<void> {
  await page
    .waitForFunction(
      ([name, wanted]) => {
        const cards = document.querySelectorAll(`section[aria-label="${name}"] [data-task] > p:first-of-type`)
        // One that is cut has the whole of it as a hint.
        const shown = [...cards].map((title) => title.getAttribute('title') ?? title.textContent)
        return JSON.stringify(shown) === JSON.stringify(wanted)
      },
      [label, titles] as const,
    )
    .catch(async () => {
      const seen = await column(page, label).locator('[data-task] > p:first-of-type').allTextContents()
      expect(seen).toEqual(titles)
    })
}

/** Waits until all of these are on the page. */
export const says = (page: Page, ...texts: (string | RegExp)[]) =>
  Promise.all(texts.map((text) => page.getByText(text).first().waitFor()))

/** Waits until there are links of these names, and answers where they lead. */
export const leads = (page: Page, ...names: string[]) =>
  Promise.all(names.map((name) => page.getByRole('link', { name, exact: true }).first().getAttribute('href')))

export const isTitled = (page: Page, title: string) =>
  page.waitForFunction((wanted) => document.title === wanted, `${title} · wrk`)

export const toast = (page: Page, title: string, text?: string) =>
  page
    .getByRole('listitem')
    .filter({ hasText: title })
    .filter({ hasText: text ?? title })
    .first()
    .waitFor()

/** Waits for a toast and sends it away, so that it covers nothing that is pressed next. */
export async function told(page: Page, title: string, text?: string): Promise<void> {
  await toast(page, title, text)
  await press(page, 'Dismiss')
}

/** Loses a call of the page's on its way, once. */
export const failsOnce = (page: Page, call: string) => page.route(`**/trpc/${call}*`, (route) => route.abort(), { times: 1 })

/** Presses Try again while the call still fails, and lets it through when it was made once more: then it works by itself. */
export async function asksAgain(page: Page, call: string): Promise<void> {
  const asked = page.waitForRequest(`**/trpc/*${call}*`)
  await press(page, 'Try again')
  await asked
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

/** Holds a call of the page's back until it is let go. */
export async function heldBack(page: Page, call: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/trpc/*${call}*`, (route) => promise.then(() => route.continue()).catch(() => {}))
  return async () => {
    resolve()
    await page.unroute(`**/trpc/*${call}*`)
  }
}

/** Holds the script back that has these words in it, until it is let go. */
export async function scriptHeldBack(page: Page, words: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const answer = async (route: Route) => {
    const response = await route.fetch()
    if ((await response.text()).includes(words)) await promise
    await route.fulfill({ response })
  }
  await page.route('**/*.js', (route) => answer(route).catch(() => {}))
  return async () => {
    resolve()
    await page.unroute('**/*.js')
  }
}

/** Has the server answer a call of the page's, once, and holds the answer back until it is let go. */
export async function answerHeld(page: Page, call: string) {
  const given = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const answer = async (route: Route) => {
    const response = await route.fetch()
    given.resolve()
    await released.promise
    await route.fulfill({ response })
  }
  await page.route(`**/trpc/*${call}*`, (route) => answer(route).catch(() => {}), { times: 1 })
  return { given: given.promise, release: released.resolve }
}

/** Asked for before the page is loaded: its live channel can be cut off, each time, and is listened to. */
export async function channel(page: Page) {
  const cuts: (() => Promise<void>)[] = []
  const heard = happenings()
  const types: string[] = []
  await page.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    cuts.push(async () => {
      await server.close()
      await socket.close({ code: 1011 })
    })
    server.onMessage((message) => {
      socket.send(message)
      types.push(JSON.parse(String(message)).type)
      heard.happen()
    })
  })
  return {
    cut: () => Promise.all(cuts.splice(0).map((cut) => cut())),
    /** Waits until the page has been told this; what was waited for before does not count again. */
    told: (type: string) =>
      heard.until(
        () => types.includes(type) && types.splice(0, types.indexOf(type) + 1),
        () => `no ${type} came, but ${types}`,
      ),
  }
}

/** Connects a page that lost its channel at once, as it does when the network is there again. */
export const reconnect = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('online')))

export const cutOff = async (page: Page) => (await channel(page)).cut

/** What the server answers to a change that it refuses for a fault of its own. */
const FAULT = { message: 'Something went wrong on our side.', code: 'INTERNAL_SERVER_ERROR' }

/** Changes by these procedures are refused until `unrouteAll`. */
export const refuseCalls = (page: Page, ...procedures: string[]) =>
  Promise.all(
    procedures.map((name) =>
      page.route(`**/trpc/${name}*`, (route) =>
        route.fulfill({ status: 500, json: { error: { message: FAULT.message, code: -32603, data: FAULT } } }),
      ),
    ),
  )

/** The same for one, once it is let go. */
export async function refusalHeld(page: Page, procedure: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/trpc/${procedure}*`, async (route) => {
    await promise
    await route.fulfill({ status: 500, json: { error: { message: FAULT.message, code: -32603, data: FAULT } } })
  })
  return resolve
}

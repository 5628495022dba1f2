import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Site, sharedBoard } from '../support/chromium'
import { openQuick } from '../support/databases'
import { card, press, refuseCalls } from '../support/page'
import { passTime } from '../support/time'

const strip = (page: Page) => page.getByRole('list', { name: 'Time entries' })
/** The time that is logged on the task that is open. */
export const entries = (page: Page) => strip(page).getByRole('listitem')
export const entry = (page: Page, text: string) => entries(page).filter({ hasText: text })
export const total = (page: Page) => page.getByRole('region', { name: 'Time tracking' }).getByText('Total:').locator('..')
/** The small timer, in whichever place it is shown. */
export const timer = (page: Page) => page.getByRole('region', { name: 'Timer', exact: true })
export const closeTask = (page: Page) => page.getByRole('button', { name: 'Close' }).last().click()

type Typed = { hours?: string; minutes?: string; note?: string }
export async function fill(page: Page, { hours, minutes, note }: Typed) {
  if (hours !== undefined) await page.getByRole('spinbutton', { name: 'Hours' }).fill(hours)
  if (minutes !== undefined) await page.getByRole('spinbutton', { name: 'Minutes' }).fill(minutes)
  if (note !== undefined) await page.getByRole('textbox', { name: 'Notes' }).fill(note)
}
/** Hours and minutes as they stand in the form. */
export const typed = async (page: Page) => [
  await page.getByRole('spinbutton', { name: 'Hours' }).inputValue(),
  await page.getByRole('spinbutton', { name: 'Minutes' }).inputValue(),
]

/** Ada and Bob on a board with the tasks One and Two; Ada, and Bob too unless told otherwise, with the first one open. */
export async function openTask(
  site: Site,
  names: [string, string],
  options: Parameters<Site['open']>[1] = {},
  { alone = false } = {},
) {
  const [ada, bob] = await Promise.all([site.open('ada', options), site.open('bob')])
  const seenBy = alone ? [ada] : [ada, bob]
  const boardId = await sharedBoard(ada, bob, names, ['One', 'Two'], seenBy)
  const idOf = async (title: string) => Number(await card(ada, title).getAttribute('data-task'))
  const [taskId, secondId] = await Promise.all([idOf('One'), idOf('Two')])
  for (const page of seenBy) {
    await card(page, 'One').click()
    await page.getByRole('button', { name: 'Add Time Entry' }).waitFor()
  }
  return { ada, bob, boardId, taskId, secondId, log: logger(taskId) }
}

/** Logs time on a task behind the page. */
export const logger = (taskId: number) => async (page: Page, given: object) => {
  const answer = await page.request.post('/api/time-entries', { data: { taskId, duration: 60, ...given } })
  expect(answer.status()).toBe(201)
}

/** Makes the timers of a task run for longer than they did. */
export async function moveBack(taskId: number, by: number) {
  const { db } = await openQuick()
  await passTime(db, { id: taskId }, by)
}

export const logs = (page: Page) => page.getByRole('dialog', { name: 'Time Logs', exact: true })
/** Waits until the Time Logs sum up so. */
export const sums = (page: Page, text: string) => logs(page).getByRole('status').filter({ hasText: text }).waitFor()
export const rows = (page: Page) => logs(page).getByRole('table', { name: 'Time entries' }).locator('tbody tr')
export const choose = (page: Page, what: string, option: string) =>
  logs(page).getByRole('combobox', { name: what }).selectOption(option)
export const confirmDeletion = (page: Page) =>
  page.getByRole('alertdialog', { name: 'Are you sure?' }).getByRole('button', { name: 'Delete' }).click()
/** Changes of time are refused until `unrouteAll`. */
export const refuseTime = (page: Page, ...names: string[]) => refuseCalls(page, ...names.map((name) => `time.${name}`))

export async function openLogs(page: Page, sum: string) {
  await press(page, 'Time Logs')
  await sums(page, sum)
}

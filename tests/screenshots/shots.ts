import type { Page } from 'playwright-core'
import { card, choose, press } from '../support/page'

export type Demonstration = {
  /** By username. */
  cookies: Record<string, { name: string; value: string }>
  /** Ids by name. */
  boards: Record<string, number>
}

export type Shot = {
  name: string
  as?: string
  path: string | ((demonstration: Demonstration) => string)
  until(page: Page): Promise<unknown>
  then?(page: Page, on: { narrow: boolean }): Promise<unknown>
  /** A picture of the README is made of it. */
  picture?: string
}

export const LARGE_BOARD_TASKS = 300
export const EMPTY_BOARD = 'Nothing yet'
/** Has no boards. */
export const NEWCOMER = 'noor'

const heading = (name?: string) => (page: Page) =>
  page
    .getByRole('heading', name ? { name } : {})
    .first()
    .waitFor()
/** Those of the app: the ones in the page's HTML do nothing yet. */
const cards = (page: Page) => page.getByRole('region', { name: 'Columns' }).locator('[data-task]').first().waitFor()
const board =
  (name: string, hash = '') =>
  ({ boards }: Demonstration) =>
    `/board/${boards[name]}${hash}`
const demo = board('Spring catalogue')

const openTask: Shot['then'] = async (page) => {
  await card(page, 'Price list for the shops').click()
  await page.getByRole('dialog').waitFor()
  await page.getByRole('dialog').getByText('Waiting for the new shipping rates').waitFor()
  await page.getByRole('list', { name: 'Time entries' }).waitFor()
}

const openLogs: Shot['then'] = async (page) => {
  await press(page, 'Time Logs')
  await page.getByRole('table', { name: 'Time entries' }).waitFor()
}

const published = (name: string, path: string): Shot => ({ name, path, until: heading() })
const onBoard = (name: string, then?: Shot['then'], picture?: string): Shot => ({
  name,
  as: 'maya',
  path: demo,
  until: cards,
  ...(then && { then }),
  ...(picture && { picture }),
})
const onProfile = (tab: string, title: string, name = `profile-${tab}`, then?: Shot['then']): Shot => ({
  name,
  as: 'maya',
  path: `/maya?tab=${tab}`,
  until: heading(title),
  ...(then && { then }),
})

const askToDelete: Shot['then'] = async (page) => {
  await press(page, 'Delete account…')
  await page.getByRole('dialog').waitFor()
}

export const SHOTS: Shot[] = [
  published('landing', '/'),
  published('terms', '/terms'),
  published('privacy', '/privacy'),
  published('refund', '/refund'),
  published('login', '/login'),
  published('register', '/login?register'),
  {
    name: 'dashboard',
    as: 'maya',
    path: '/',
    until: (page) =>
      page
        .getByRole('button', { name: /^Start timer/ })
        .first()
        .waitFor(),
  },
  { name: 'dashboard-empty', as: NEWCOMER, path: '/', until: (page) => page.getByText('Create example board').waitFor() },
  onBoard('board', undefined, 'board'),
  { name: 'board-empty', as: 'maya', path: board(EMPTY_BOARD), until: heading('To Do') },
  { name: 'board-large', as: 'maya', path: board(`Everything, ${LARGE_BOARD_TASKS} tasks`), until: cards },
  { name: 'board-not-found', as: 'maya', path: '/board/999999', until: heading() },
  onBoard('task', openTask),
  onBoard('task-new', async (page) => {
    await page.keyboard.press('Shift+C')
    await page.getByRole('dialog').waitFor()
  }),
  onBoard('members', async (page) => {
    await press(page, 'Invite Members')
    await page.getByText('Copy invite link').waitFor()
  }),
  onBoard('time-logs', openLogs, 'time-logs'),
  onBoard('finder', async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('print')
    await page.getByRole('option').first().waitFor()
  }),
  onBoard('undo', async (page) => {
    await card(page, 'Price list for the shops').focus()
    // The picture before this one has moved it.
    const isDone = (await page.getByRole('region', { name: 'Done' }).getByText('Price list for the shops').count()) > 0
    for (const key of [' ', isDone ? 'ArrowLeft' : 'ArrowRight', ' ']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Undo' }).waitFor()
  }),
  { name: 'my-time', as: 'maya', path: '/time', until: (page) => page.getByRole('table', { name: 'My time' }).waitFor() },
  onBoard('shortcuts', async (page) => {
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
  }),
  onBoard('notifications', async (page) => {
    await page
      .getByRole('button', { name: /^Notifications/ })
      .first()
      .click()
    await page.getByText('Nothing yet. Activity on').waitFor()
  }),
  onBoard('without-connection', async (page) => {
    await page.context().setOffline(true)
    await page.getByText('Reconnecting').first().waitFor()
  }),
  { name: 'profile', as: 'maya', path: '/maya', until: heading('Maya Tremblay') },
  onProfile('notifications', 'Notifications'),
  onProfile('subscription', 'Plan'),
  onProfile('support', 'Support'),
  onProfile('security', 'Sign-in'),
  { name: 'profile-of-another', as: 'maya', path: '/jonas', until: heading() },
  { name: 'upgrade', as: 'riya', path: '/subscribe', until: heading() },
  { name: 'invitation', path: '/invite?token=unknown', until: heading() },
  onProfile('security', 'Sign-in', 'delete-account', askToDelete),
  // Last, for it changes what others show.
  onBoard('deleted-tasks', async (page) => {
    const list = await page.request.get(`${page.url().replace('/board/', '/api/boards/')}/tasks/deleted`)
    const ids = await page
      .locator('[data-task]')
      .evaluateAll((all) => all.slice(0, 2).map((one) => one.getAttribute('data-task')))
    if ((await list.json()).length === 0) for (const id of ids) await page.request.delete(`/api/tasks/${id}`)
    await choose(page, 'Board menu', 'Deleted tasks')
    await page.getByRole('dialog').getByRole('listitem').first().waitFor()
  }),
  { name: 'not-found', as: 'maya', path: '/nobody-is-here', until: heading('User Not Found') },
]

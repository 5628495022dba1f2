import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { users } from '../../src/db/tables'
import { findsNothing } from '../support/axe'
import { forget, inChromium, sharedBoard } from '../support/chromium'
import { openQuick } from '../support/databases'
import { card } from '../support/page'

inChromium('the inbox', (site) => {
  test('counts what concerns one as it happens, leads there, and is read in every tab', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    const boardId = await sharedBoard(ada, bob, ['nora', 'odin'], [], [ada])
    const task = await (await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Proofs' } })).json()
    await bob.request.post('/api/notifications/read', { data: {} })
    const other = await bob.context().newPage()
    await Promise.all([bob.goto('/'), other.goto('/')])
    const bell = (page: typeof bob, name: string) => page.getByRole('button', { name, exact: true })
    await Promise.all([bell(bob, 'Notifications').waitFor(), bell(other, 'Notifications').waitFor()])
    await card(ada, 'Proofs').waitFor()
    await ada.request.post(`/api/tasks/${task.id}/comments`, { data: { content: 'Page 4 is upside down' } })
    await ada.request.post(`/api/tasks/${task.id}/assignees`, { data: { userId: (await me(bob)).id } })
    await bell(other, 'Notifications, 2 unread').waitFor()
    await bell(bob, 'Notifications, 2 unread').click()
    const inbox = bob.getByRole('dialog', { name: 'Notifications' })
    await inbox.getByRole('link', { name: 'Nora assigned you' }).waitFor()
    // Both things in one block, with one title and one time.
    const group = inbox.getByRole('listitem').filter({ has: bob.getByRole('heading', { name: 'Proofs' }) })
    expect(await group.getByRole('listitem').allTextContents()).toEqual([
      expect.stringContaining('Nora assigned you'),
      expect.stringContaining('Nora commentedPage 4 is upside down'),
    ])
    expect([await group.locator('h3').count(), await group.locator('time').count()]).toEqual([1, 1])
    for (const colorScheme of ['dark', 'light'] as const) {
      await bob.emulateMedia({ colorScheme })
      await findsNothing(bob, `the inbox (${colorScheme})`)
    }
    await inbox.getByText('Page 4 is upside down').click()
    await bob.getByRole('dialog').getByRole('textbox', { name: 'Title' }).waitFor()
    expect(await bob.getByRole('dialog').getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Proofs')
    // All of the task that one looks at is read, also what comes meanwhile.
    await bell(other, 'Notifications').waitFor()
    const read = bob.waitForResponse('**/trpc/notifications.read*')
    await ada.request.post(`/api/tasks/${task.id}/comments`, { data: { content: 'And page 5' } })
    await read
    await bob.getByText('And page 5').waitFor()
    await bell(other, 'Notifications').waitFor()
    expect(await unreadOf(bob)).toBe(0)
    await bob.keyboard.press('Escape')
    await bob.getByRole('dialog').waitFor({ state: 'detached' })
    await ada.request.post(`/api/tasks/${task.id}/comments`, { data: { content: 'And page 6' } })
    await bell(other, 'Notifications, 1 unread').click()
    await other.getByRole('button', { name: 'Mark all as read' }).click()
    await other.keyboard.press('Escape')
    await bell(other, 'Notifications').waitFor()
  })

  test('leads to the comment that it tells of', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    const boardId = await sharedBoard(ada, bob, ['paul', 'quinn'], [], [bob])
    const task = await (await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Proofs' } })).json()
    const comments: { id: number }[] = []
    for (let nth = 1; nth <= 25; nth++) {
      const made = await ada.request.post(`/api/tasks/${task.id}/comments`, { data: { content: `Page ${nth}` } })
      comments.push(await made.json())
    }
    // As a mail has it.
    await bob.goto(`/board/${boardId}?task=${task.id}&openTaskDetail=true&comment=${comments[1]?.id}`)
    const linked = bob.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Page 2' }).and(bob.locator('[aria-current]'))
    await linked.waitFor()
    expect(await linked.evaluate((item) => Math.round(item.getBoundingClientRect().top))).toBeWithin(0, 800)
    expect(new URL(bob.url()).hash).toBe(`#task-${task.id}-comment-${comments[1]?.id}`)
  })

  test('can be had without mails: the link in a mail ends them, also for whoever is signed out', async () => {
    const page = await site.open('pia')
    await page.request.post('/api/auth/register', {
      data: { username: 'piamaria', email: 'piamaria@example.com', password: 'correct horse' },
    })
    const { db } = await openQuick()
    const [row] = await db.select().from(users).where(sql`${users.username} = 'piamaria'`)
    await forget(page)
    await page.goto(`/unsubscribe?token=${row?.unsubscribeToken}&from=notifyTaskCommented`)
    await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    await page.getByText('You won’t get any more emails about comments and mentions.').waitFor()
    // Nobody loads all of the app to end mails.
    expect(await page.evaluate(scriptBytes)).toBeLessThan(450_000)
    await page.getByRole('button', { name: 'Unsubscribe from all' }).click()
    await page.getByText('You won’t get any more emails about what happens on your boards.').waitFor()
    const [after] = await db.select().from(users).where(sql`${users.username} = 'piamaria'`)
    expect(after).toMatchObject({ emailNotifications: false, notifyTaskAssigned: false })
    await page.goto(`/unsubscribe?token=${crypto.randomUUID()}&from=notifyTaskCommented`)
    await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    await page.getByText('This link no longer works.').waitFor()
  })
})

/** As sent, whether or not the browser had them. */
const scriptBytes = () =>
  performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0)

const unreadOf = async (page: Page) => (await (await page.request.get('/api/notifications')).json()).unread

const me = async (page: { request: { get(path: string): Promise<{ json(): Promise<{ id: number }> }> } }) =>
  (await page.request.get('/api/auth/me')).json()

import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { tasks, users } from '../../src/db/tables'
import { findsNothing } from '../support/axe'
import { forget, inChromium, sharedBoard } from '../support/chromium'
import { openQuick } from '../support/databases'
import { answerHeld, card, channel, leave } from '../support/page'

inChromium('the inbox', (site) => {
  test('counts what concerns one as it happens, leads there, and is read in every tab', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['nora', 'odin'], [], { seenBy: ['ada'] })
    const task = await (await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Proofs' } })).json()
    await bob.request.post('/api/notifications/read', { data: {} })
    const other = await bob.context().newPage()
    await Promise.all([bob.goto('/'), other.goto('/')])
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
    await leave(bob.getByRole('dialog'))
    await ada.request.post(`/api/tasks/${task.id}/comments`, { data: { content: 'And page 6' } })
    await bell(other, 'Notifications, 1 unread').click()
    await other.getByRole('button', { name: 'Mark all as read' }).click()
    await other.keyboard.press('Escape')
    await bell(other, 'Notifications').waitFor()

    // A comment that names one only once it is edited is still one.
    const named = await (await ada.request.post(`/api/tasks/${task.id}/comments`, { data: { content: 'And the cover' } })).json()
    await bell(other, 'Notifications, 1 unread').waitFor()
    const reread = other.waitForResponse('**/trpc/*notifications.list*')
    await ada.request.patch(`/api/comments/${named.id}`, { data: { content: 'And the cover, @odin' } })
    await reread
    await bell(other, 'Notifications, 1 unread').click()
    await other.getByText('Nora mentioned you').waitFor()
    await other.getByRole('button', { name: 'Mark all as read' }).click()
    await other.keyboard.press('Escape')
    await bell(other, 'Notifications').waitFor()

    // No board is open there, so the page does not hear that the comment goes; opening the inbox shows it.
    const last = await ada.request.post(`/api/tasks/${task.id}/comments`, { data: { content: 'And page 7' } })
    await bell(other, 'Notifications, 1 unread').waitFor()
    expect((await ada.request.delete(`/api/comments/${(await last.json()).id}`)).status()).toBe(200)
    await bell(other, 'Notifications, 1 unread').click()
    await bell(other, 'Notifications').waitFor()
    await other.getByText('And page 6').waitFor()
    expect(await other.getByText('And page 7').count()).toBe(0)
  })

  test('loses what goes with a comment, time or task, has it again once that is restored, and is not read for what is not in it', async () => {
    const [ada, bob] = await Promise.all([site.open('ada'), site.open('bob')])
    const live = await channel(bob)
    const boardId = await sharedBoard(ada, bob, ['rhea', 'sven'], [], [])
    const post = async (page: Page, path: string, data?: object) => (await page.request.post(path, { data })).json()
    const task = await post(bob, `/api/boards/${boardId}/tasks`, { title: 'Proofs' })
    const other = await post(ada, `/api/boards/${boardId}/tasks`, { title: 'Plates' })
    await bob.request.post('/api/notifications/read', { data: {} })
    const listed = { times: 0 }
    bob.on('request', (request) => {
      if (request.url().includes('notifications.list')) listed.times += 1
    })
    await bob.clock.install()
    await bob.goto(`/board/${boardId}`)
    await card(bob, 'Plates').waitFor()
    await bell(bob, 'Notifications').waitFor()
    await live.told('joined_board')
    // A line that came late has it read once more.
    await post(ada, `/api/boards/${boardId}/tasks`, { title: 'Ready' })
    await card(bob, 'Ready').waitFor()
    const reads = listed.times
    /** What Ada does, once the page may read its inbox again at once. */
    async function shows<Answer>(unread: number, does: () => Promise<Answer>): Promise<Answer> {
      await bob.clock.fastForward(2_000)
      const answer = await does()
      await bell(bob, unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`).waitFor()
      return answer
    }

    // Nothing of this is in it.
    const theirs = await post(ada, `/api/tasks/${other.id}/comments`, { content: 'To myself' })
    await ada.request.patch(`/api/comments/${theirs.id}`, { data: { content: 'To me' } })
    await ada.request.delete(`/api/comments/${theirs.id}`)
    await post(ada, `/api/comments/${theirs.id}/restore`)
    const spent = await post(ada, '/api/time-entries', { taskId: other.id, duration: 5 })
    await ada.request.delete(`/api/time-entries/${spent.id}`)
    for (const type of ['comment_updated', 'comment_deleted', 'new_comment', 'time_entry_deleted'] as const) await live.told(type)
    const spare = await post(ada, `/api/boards/${boardId}/tasks`, { title: 'Spare' })
    await ada.request.delete(`/api/tasks/${spare.id}`)
    await live.told('task_deleted')
    const comment = await shows(1, () => post(ada, `/api/tasks/${task.id}/comments`, { content: 'Page 4' }))
    expect(listed.times).toBe(reads)

    await shows(0, () => ada.request.delete(`/api/comments/${comment.id}`))
    await shows(1, () => ada.request.post(`/api/comments/${comment.id}/restore`))
    const entry = await shows(2, () => post(ada, '/api/time-entries', { taskId: task.id, duration: 5, notify: true }))
    await shows(1, () => ada.request.delete(`/api/time-entries/${entry.id}`))
    await shows(2, () => ada.request.post(`/api/time-entries/${entry.id}/restore`))
    const timer = await post(ada, '/api/time-entries', { taskId: task.id, status: 'ACTIVE' })
    const stop = { status: 'completed', notify: true }
    await shows(3, () => ada.request.patch(`/api/time-entries/${timer.id}`, { data: stop }))
    await shows(2, () => ada.request.post(`/api/time-entries/${timer.id}/unstop`, { data: { status: 'PAUSED' } }))
    await shows(0, () => ada.request.delete(`/api/tasks/${task.id}`))
    await shows(2, () => ada.request.post(`/api/tasks/${task.id}/restore`))
    await bell(bob, 'Notifications, 2 unread').click()
    await bob.getByRole('dialog', { name: 'Notifications' }).getByText('Page 4').waitFor()
    await shows(2, () => ada.request.patch(`/api/comments/${comment.id}`, { data: { content: 'Page 5' } }))
    await bob.getByRole('dialog', { name: 'Notifications' }).getByText('Page 5').waitFor()
    const note = bob.getByRole('dialog', { name: 'Notifications' }).getByText('Two rounds')
    await shows(2, () => ada.request.patch(`/api/time-entries/${entry.id}`, { data: { note: 'Two rounds' } }))
    await note.waitFor()
    await shows(2, () => ada.request.patch(`/api/time-entries/${entry.id}`, { data: { note: '' } }))
    await note.waitFor({ state: 'detached' })

    // Restored from the trash, where it lay when the page came.
    const { db } = await openQuick()
    await db.update(tasks).set({ createdAt: sql`now() - interval '1 hour'` }).where(eq(tasks.id, task.id))
    await ada.request.delete(`/api/tasks/${task.id}`)
    await bob.reload()
    await card(bob, 'Plates').waitFor()
    await bell(bob, 'Notifications').waitFor()
    await live.told('joined_board')
    await shows(2, () => ada.request.post(`/api/tasks/${task.id}/restore`))
  })

  test('keeps unread what comes while all that is shown is being marked as read', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['tess', 'ugo'], [], { seenBy: ['bob'] })
    const task = await (await bob.request.post(`/api/boards/${boardId}/tasks`, { data: { title: 'Proofs' } })).json()
    await bob.request.post('/api/notifications/read', { data: {} })
    const comment = (content: string) => ada.request.post(`/api/tasks/${task.id}/comments`, { data: { content } })
    await comment('Page 4')
    const inbox = bob.getByRole('dialog', { name: 'Notifications' })
    const mark = inbox.getByRole('button', { name: 'Mark all as read' })
    await bell(bob, 'Notifications, 1 unread').click()

    // On its way to the server.
    const asked = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    await bob.route(
      '**/trpc/notifications.read*',
      async (route) => {
        asked.resolve()
        await sent.promise
        await route.continue()
      },
      { times: 1 },
    )
    await mark.click()
    await asked.promise
    await comment('Page 5')
    await bell(bob, 'Notifications, 2 unread').waitFor()
    sent.resolve()
    await bell(bob, 'Notifications, 1 unread').waitFor()
    expect([await inbox.getByText('Unread', { exact: true }).count(), await unreadOf(bob)]).toEqual([1, 1])

    // Its answer is on its way back.
    const answer = await answerHeld(bob, 'notifications.read')
    await mark.and(bob.locator(':enabled')).click()
    await answer.given
    await bell(bob, 'Notifications').waitFor()
    await comment('Page 6')
    await inbox.getByText('Page 6').waitFor()
    await mark.and(bob.locator('[aria-busy]')).waitFor()
    answer.release()
    await mark.and(bob.locator(':enabled')).waitFor()
    await bell(bob, 'Notifications, 1 unread').waitFor()
    expect([await inbox.getByText('Unread', { exact: true }).count(), await unreadOf(bob)]).toEqual([1, 1])
  })

  test('leads to the comment that it tells of', async () => {
    const { ada, bob, boardId } = await site.sharedBoard(['paul', 'quinn'], [], { seenBy: ['bob'] })
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

const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const unreadOf = async (page: Page) => (await (await page.request.get('/api/notifications')).json()).unread

const me = async (page: { request: { get(path: string): Promise<{ json(): Promise<{ id: number }> }> } }) =>
  (await page.request.get('/api/auth/me')).json()

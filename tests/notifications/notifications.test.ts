import { afterAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { mails, notifications, tasks, users } from '../../src/db/tables'
import { sentence } from '../../src/notifications/sentences'
import { browser } from '../support/browser'
import { onEachDatabase, type Server } from '../support/databases'
import { mailbox } from '../support/mail'
import type { Person } from '../support/people'

const post = await mailbox()
afterAll(post.stop)
const env = { SMTP_URL: post.url, MAIL_FROM: 'wrk <wrk@example.com>' }

const inboxOf = async (person: Person) => (await person.api.notifications.list.query({})).notifications.map(sentence)
const mailed = (server: Server) => server.db.select({ to: mails.recipient, subject: mails.subject }).from(mails).orderBy(mails.id)

/** Ada's board with Bob and Cleo, a task of Bob's; whatever they were told of that is forgotten. */
async function peopleWithoutNews(server: Server) {
  const people = await server.people()
  const { bob, board, member } = people
  const cleo = await member(`c${crypto.randomUUID().slice(0, 10)}`)
  const task = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
  await server.db.delete(mails)
  await server.db.delete(notifications)
  await server.db.update(users).set({ notifiedAt: null })
  return { ...people, cleo, task }
}

onEachDatabase(
  'an inbox',
  (server) => {
    test('tells what others did: being added, assigned, commented, mentioned, and what a board is called', async () => {
      const { ada, bob, cleo, board, task, person } = await peopleWithoutNews(server)
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: cleo.id })
      await ada.api.comments.create.mutate({ taskId: task.id, content: `Deeper, @${cleo.user.username}` })
      const socket = await bob.socket()
      await ada.api.boards.update.mutate({ boardId: board.id, name: 'Park' })
      expect((await socket.next('notification_added')).notification.kind).toBe('renamed')
      await ada.api.boards.update.mutate({ boardId: board.id, description: 'Green' })
      expect((await socket.next('notification_added')).notification.kind).toBe('described')
      expect(await inboxOf(bob)).toEqual([
        'ada changed the description of the board “Park”',
        'ada renamed a board to “Park”',
        'ada commented on “Dig”',
      ])
      expect(await inboxOf(cleo)).toEqual([
        'ada changed the description of the board “Park”',
        'ada renamed a board to “Park”',
        'ada mentioned you on “Dig”',
        'ada assigned you to “Dig”',
      ])
      const dan = await person('dan')
      await bob.api.boards.addMember.mutate({ boardId: board.id, username: 'dan' })
      expect(await inboxOf(dan)).toEqual(['bob added you to the board “Park”'])
      expect(await inboxOf(ada)).toEqual([])
    })

    test('tells nobody of their own doing, nothing twice, and nothing of a change that failed', async () => {
      const { ada, bob, eve, cleo, board, task } = await peopleWithoutNews(server)
      await bob.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
      await bob.api.comments.create.mutate({ taskId: task.id, content: '@bob' })
      for (const _ of [1, 2]) await ada.api.tasks.assign.mutate({ taskId: task.id, userId: cleo.id })
      await ada.api.boards.update.mutate({ boardId: board.id, name: board.name })
      await eve.http('POST', `/api/tasks/${task.id}/comments`, { content: '@bob' })
      expect(await inboxOf(bob)).toEqual([])
      expect(await inboxOf(cleo)).toEqual(['ada assigned you to “Dig”'])
    })

    test('shows a comment once, also where one is named only by an edit', async () => {
      const { ada, bob, task } = await peopleWithoutNews(server)
      const { id: commentId } = await ada.api.comments.create.mutate({ taskId: task.id, content: 'Deeper' })
      await bob.api.notifications.read.mutate({})
      await ada.api.comments.update.mutate({ commentId, content: 'Deeper, @bob' })
      const { notifications, unread } = await bob.api.notifications.list.query({})
      expect([notifications.map(sentence), unread]).toEqual([['ada mentioned you on “Dig”'], 1])
      await ada.api.comments.update.mutate({ commentId, content: 'Much deeper, @bob' })
      expect(await inboxOf(bob)).toEqual(['ada mentioned you on “Dig”'])
    })

    test('shows nothing of a board that one was removed from, nor of a task in the trash', async () => {
      const { ada, bob, cleo, board, task } = await peopleWithoutNews(server)
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: cleo.id })
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
      await bob.api.tasks.delete.mutate({ taskId: task.id })
      expect(await inboxOf(cleo)).toEqual([])
      await bob.api.tasks.restore.mutate({ taskId: task.id })
      expect(await inboxOf(cleo)).toEqual(['ada assigned you to “Dig”'])
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: cleo.id })
      expect(await cleo.api.notifications.list.query({})).toEqual({ notifications: [], unread: 0, more: false })
    })

    test('keeps no words that were deleted, and says what a comment says now', async () => {
      const { ada, bob, task } = await peopleWithoutNews(server)
      const details = async () => (await bob.api.notifications.list.query({})).notifications.map(({ detail }) => detail)
      const { id: commentId } = await ada.api.comments.create.mutate({ taskId: task.id, content: '- [x] *Secret*' })
      expect(await details()).toEqual(['Secret'])
      await ada.api.comments.update.mutate({ commentId, content: '**Public**, `now`' })
      expect(await details()).toEqual(['Public, now'])
      await ada.api.comments.delete.mutate({ commentId })
      const entry = await ada.api.time.create.mutate({ taskId: task.id, duration: 5, note: 'Secret', notify: true })
      expect(await details()).toEqual(['0h 5m\nSecret'])
      await ada.api.time.delete.mutate({ entryId: entry.id })
      expect(await details()).toEqual([])
    })

    test('has the note that a time entry has now, with the time that was told', async () => {
      const { ada, bob, task } = await peopleWithoutNews(server)
      const details = async () => (await bob.api.notifications.list.query({})).notifications.map(({ detail }) => detail)
      const { id: entryId } = await ada.api.time.create.mutate({
        taskId: task.id,
        status: 'ACTIVE',
        note: 'Secret',
        notify: true,
      })
      const change = (given: object) => ada.api.time.update.mutate({ entryId, ...given })
      await change({ status: 'completed', duration: 5, notify: true })
      expect(await details()).toEqual(['0h 5m\nSecret', '\nSecret'])
      await change({ note: 'Dug\nand raked' })
      expect(await details()).toEqual(['0h 5m\nDug\nand raked', '\nDug\nand raked'])
      await change({ duration: 7, note: null, notify: true })
      expect(await details()).toEqual(['0h 7m', '0h 5m', ''])
      await change({ note: 'x'.repeat(2_000) })
      expect((await details()).map((detail) => detail?.length)).toEqual([1_007, 1_007, 1_002])
    })

    test('is paged, counted and marked as read, which the other pages hear, and is one’s own alone', async () => {
      const { ada, bob, cleo, task } = await peopleWithoutNews(server)
      const socket = await bob.socket()
      for (let n = 0; n < 25; n++) await ada.api.comments.create.mutate({ taskId: task.id, content: `Number ${n}` })
      const first = await bob.api.notifications.list.query({})
      expect([first.notifications.length, first.unread, first.more]).toEqual([20, 25, true])
      const { body } = await bob.http('GET', `/api/notifications?cursor=${first.notifications.at(-1)?.id}`)
      expect(body).toMatchObject({ unread: 25, more: false, notifications: [{ detail: 'Number 4' }, {}, {}, {}, {}] })
      const { notification } = await socket.next('notification_added')
      expect(notification).toMatchObject({ kind: 'commented', detail: 'Number 0', task: { id: task.id, title: 'Dig' } })
      const ids = first.notifications.slice(0, 3).map(({ id }) => id)
      await cleo.api.notifications.read.mutate({ ids })
      expect(await bob.api.notifications.read.mutate({ ids })).toEqual({ success: true, unread: 22 })
      expect(await nextRead(socket)).toEqual({ ids: ids.toSorted(ascending), unread: 22 })
      expect((await bob.http('POST', '/api/notifications/read', {})).body).toEqual({ success: true, unread: 0 })
    })

    test('is read up to the newest that one has seen, or all of it; the other pages hear of just those that were', async () => {
      const { ada, bob, task } = await peopleWithoutNews(server)
      const socket = await bob.socket()
      const comment = async (content: string) => {
        await ada.api.comments.create.mutate({ taskId: task.id, content })
        return (await socket.next('notification_added')).notification.id
      }
      const seen = [await comment('One'), await comment('Two')]
      const upTo = Math.max(...seen)
      // It comes before what follows is stored, and after one has last looked.
      const meanwhile = await comment('Three')
      const path = '/api/notifications/read'
      expect((await bob.http('POST', path, { upTo })).body).toEqual({ success: true, unread: 1 })
      expect(await nextRead(socket)).toEqual({ ids: seen, unread: 1 })
      const { notifications } = await bob.api.notifications.list.query({})
      expect(notifications.map(({ id, readAt }) => [id, readAt === null])).toEqual([
        [meanwhile, true],
        ...seen.toReversed().map((id) => [id, false]),
      ])
      expect((await bob.http('POST', path, {})).body).toEqual({ success: true, unread: 0 })
      expect(await nextRead(socket)).toEqual({ ids: [meanwhile], unread: 0 })
      for (const given of [{ upTo: 0 }, { upTo: 'all' }]) expect((await bob.http('POST', path, given)).status).toBe(400)
    })

    test('is mailed at once where nothing waits, but a moment later to whoever has the task open', async () => {
      const { ada, bob, board, task } = await peopleWithoutNews(server)
      const socket = await bob.socket(board)
      const comment = (content: string) => ada.api.comments.create.mutate({ taskId: task.id, content })
      socket.send('viewing', { boardId: board.id, taskId: task.id })
      await socket.next('presence')
      await comment('One')
      await bob.api.notifications.read.mutate({ taskId: task.id })
      await server.gather()
      expect(await mailed(server)).toEqual([])
      await comment('Two')
      expect(await mailed(server)).toEqual([])
      await server.gather()
      expect(await mailed(server)).toHaveLength(1)
    })

    test('forgets whoever deletes their account, and what is long past', async () => {
      const { ada, bob, task } = await peopleWithoutNews(server)
      await ada.api.comments.create.mutate({ taskId: task.id, content: 'Deeper' })
      await server.db.update(notifications).set({ createdAt: sql`now() - interval '91 days'` })
      await server.clean()
      expect(await inboxOf(bob)).toEqual([])
    })
  },
  { ...env, MAIL_GATHER_SECONDS: '0' },
)

onEachDatabase(
  'notification mails',
  (server) => {
    /** What waits is three minutes old, and their last mail, too. */
    async function mailsGo() {
      await server.db.update(users).set({ notifiedAt: sql`${users.notifiedAt} - interval '3 minutes'` })
      await server.db.update(notifications).set({ createdAt: sql`${notifications.createdAt} - interval '3 minutes'` })
      await server.gather()
    }
    const subjects = async () => (await mailed(server)).map(({ subject }) => subject)
    const comment = (person: Person, taskId: number, content: string) => person.api.comments.create.mutate({ taskId, content })

    test('wait three minutes, and take along what came meanwhile', async () => {
      const { ada, bob, cleo, task } = await peopleWithoutNews(server)
      await comment(ada, task.id, 'One')
      await server.gather()
      expect(await mailed(server)).toEqual([])
      await server.db.update(notifications).set({ createdAt: sql`now() - interval '4 minutes'` })
      for (const content of ['Two', 'Three <b>\nand more']) await comment(cleo, task.id, content)
      await Promise.all([server.gather(), server.gather(), server.gather()])
      expect(await mailed(server)).toEqual([{ to: 'bob@example.com', subject: '3 updates from your boards' }])
      const { text, html } = await received('bob@example.com', '3 updates')
      expect(text).toContain(`${cleo.user.username} commented on “Dig”: Three <b> and more`)
      expect(html).toContain('Three &lt;b&gt; and more')
      await comment(ada, task.id, 'Four')
      await server.gather()
      expect(await mailed(server)).toHaveLength(1)
      await mailsGo()
      expect(await subjects()).toEqual(['3 updates from your boards', 'ada commented on “Dig”'])
      expect(await inboxOf(bob)).toHaveLength(4)
    })

    test('none goes of what was taken back meanwhile', async () => {
      const { ada, bob, cleo, board, task, person } = await peopleWithoutNews(server)
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: cleo.id })
      await ada.api.tasks.unassign.mutate({ taskId: task.id, userId: cleo.id })
      const { id: commentId } = await comment(ada, task.id, 'Two')
      await ada.api.comments.delete.mutate({ commentId })
      const entry = await ada.api.time.create.mutate({ taskId: task.id, duration: 5, notify: true })
      await ada.api.time.delete.mutate({ entryId: entry.id })
      const other = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
      await comment(ada, other.id, 'Three')
      await ada.api.tasks.delete.mutate({ taskId: other.id })
      await person('dan')
      const { user } = (await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'dan' })) as { user: { id: number } }
      await ada.api.boards.removeMember.mutate({ boardId: board.id, userId: user.id })
      await mailsGo()
      expect(await mailed(server)).toEqual([])
      // What was undone and done again is told once.
      for (const _ of [1, 2]) {
        await ada.api.tasks.assign.mutate({ taskId: task.id, userId: cleo.id })
        await ada.api.tasks.unassign.mutate({ taskId: task.id, userId: cleo.id })
      }
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: cleo.id })
      await mailsGo()
      expect(await mailed(server)).toEqual([{ to: cleo.user.email, subject: 'ada assigned you to “Dig”' }])
    })

    test('none goes of a mention that an edit took back; it is told once where another edit brings it again', async () => {
      const { ada, bob, cleo, task } = await peopleWithoutNews(server)
      const name = cleo.user.username
      const { id: commentId } = await comment(ada, task.id, `Deeper, @${name}, not @bob`)
      const edit = (content: string) => ada.api.comments.update.mutate({ commentId, content })
      await edit('Deeper')
      expect(await inboxOf(bob)).toEqual(['ada commented on “Dig”'])
      await mailsGo()
      // The task is Bob's.
      expect(await mailed(server)).toEqual([{ to: 'bob@example.com', subject: 'ada commented on “Dig”' }])
      for (const content of [`Much deeper, @${name}`, 'Much deeper', `Deepest, @${name}`, `As deep as it goes, @${name}`])
        await edit(content)
      await mailsGo()
      expect(await mailed(server)).toMatchObject([{}, { to: cleo.user.email, subject: 'ada mentioned you on “Dig”' }])
      // Once it is mailed, it is not told again.
      for (const content of ['Never mind', `Do mind, @${name}`]) await edit(content)
      await mailsGo()
      expect(await mailed(server)).toHaveLength(2)
    })

    test('each line of one about several things leads to its task, and to its comment', async () => {
      const { ada, bob, board, task } = await peopleWithoutNews(server)
      await comment(ada, task.id, 'One')
      const two = await comment(ada, task.id, 'Two & more')
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
      await ada.api.boards.update.mutate({ boardId: board.id, name: 'Park' })
      await mailsGo()
      const { text, html } = await received('bob@example.com', '4 updates')
      const ofBoard = `http://localhost:${new URL(server.origin).port}/board/${board.id}`
      const ofTask = `${ofBoard}?task=${task.id}&openTaskDetail=true`
      const lines = [
        ['ada commented on “Dig”: Two & more', `${ofTask}&comment=${two.id}`],
        ['ada assigned you to “Dig”.', ofTask],
        ['ada renamed a board to “Park”.', ofBoard],
      ] as const
      for (const [line, link] of lines) {
        expect(text.split('\n\n').map((block) => block.trim())).toContain(`${line}\n${link}`)
        const linked = `<a class="text" href="${Bun.escapeHTML(link)}" style="[^"]*">${Bun.escapeHTML(line)}</a>`
        expect(html).toMatch(new RegExp(linked.replaceAll('?', '\\?')))
      }
    })

    test('none goes of a task that one has opened meanwhile, of what was read, nor of what is no longer wanted', async () => {
      const { ada, bob, cleo, board, task } = await peopleWithoutNews(server)
      const other = await bob.api.tasks.create.mutate({ boardId: board.id, title: 'Sow' })
      for (const content of ['One', 'Two']) await comment(ada, task.id, content)
      await comment(ada, other.id, 'Three')
      const socket = await bob.socket(board)
      expect(await bob.api.notifications.read.mutate({ taskId: task.id })).toMatchObject({ unread: 1 })
      const { ids, unread } = await socket.next('notifications_read')
      expect([ids.length, unread]).toEqual([2, 1])
      await mailsGo()
      expect(await subjects()).toEqual(['ada commented on “Sow”'])

      await comment(ada, task.id, 'Four')
      await bob.api.notifications.read.mutate({})
      await comment(cleo, task.id, 'Five')
      await ada.api.tasks.assign.mutate({ taskId: task.id, userId: bob.id })
      await server.db.update(users).set({ notifyTaskAssigned: false })
      await mailsGo()
      expect(await subjects()).toEqual(['ada commented on “Sow”', `${cleo.user.username} commented on “Dig”`])
    })

    for (const off of ['emailNotifications', 'notifyTaskCommented'] as const)
      test(`none goes to whoever has ${off} switched off; the inbox has it all the same`, async () => {
        const { ada, bob, task } = await peopleWithoutNews(server)
        await server.db
          .update(users)
          .set({ [off]: false })
          .where(eq(users.id, bob.id))
        await comment(ada, task.id, 'One')
        await mailsGo()
        expect(await mailed(server)).toEqual([])
        expect(await inboxOf(bob)).toEqual(['ada commented on “Dig”'])
      })

    describe('the link to unsubscribe', () => {
      test('ends the mails of its kind with one click of a mail program, signed out; others still go', async () => {
        const { ada, cleo, board } = await peopleWithoutNews(server)
        const task = await cleo.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
        await comment(ada, task.id, 'One')
        await mailsGo()
        const { headers } = await received(cleo.user.email, 'ada commented')
        expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
        const link = /^<(http.*)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? ''
        expect(link).toEndWith('&from=notifyTaskCommented')
        // As a mail program does: a form, without a page it comes from.
        const { pathname, search } = new URL(link)
        const answer = await fetch(server.origin + pathname + search, {
          method: 'POST',
          body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
        })
        expect([answer.status, await answer.json()]).toEqual([200, { success: true }])
        await comment(ada, task.id, 'Two')
        await ada.api.tasks.assign.mutate({ taskId: task.id, userId: cleo.id })
        await mailsGo()
        expect(await subjects()).toEqual(['ada commented on “Dig”', 'ada assigned you to “Dig”'])
      })

      test('of a mail about several kinds ends all mails', async () => {
        const { ada, bob, board, task } = await peopleWithoutNews(server)
        await comment(ada, task.id, 'One')
        await comment(ada, task.id, 'Two')
        await ada.api.boards.update.mutate({ boardId: board.id, name: 'Park' })
        await mailsGo()
        const { headers } = await received('bob@example.com', '3 updates')
        const { pathname, search } = new URL(headers['list-unsubscribe']?.slice(1, -1) ?? '')
        expect(search).toEndWith('&from=emailNotifications')
        expect((await fetch(server.origin + pathname + search, { method: 'POST' })).status).toBe(200)
        expect(await bob.api.auth.me.query()).toMatchObject({ emailNotifications: false, notifyTimeEntries: false })
      })

      test('does nothing where it is nobody’s, incomplete, or followed by whatever follows links', async () => {
        const { bob } = await peopleWithoutNews(server)
        const nobody = browser(server.origin)
        const [row] = await server.db.select().from(users).where(eq(users.id, bob.id))
        const path = (token?: string, from = 'emailNotifications') => `/unsubscribe?from=${from}${token ? `&token=${token}` : ''}`
        expect(await nobody.http('POST', path(crypto.randomUUID()))).toMatchObject({
          status: 404,
          body: { message: 'This link no longer works.' },
        })
        for (const token of [undefined, 'x', '%00']) expect((await nobody.http('POST', path(token))).status).toBe(400)
        expect((await nobody.http('POST', path(row?.unsubscribeToken, 'password'))).status).toBe(400)
        await nobody.http('GET', path(row?.unsubscribeToken))
        expect(await bob.api.auth.me.query()).toMatchObject({ emailNotifications: true })
      })

      test('works from an address that has tried too many that are none', async () => {
        const { bob } = await peopleWithoutNews(server)
        const provider = browser(server.origin)
        const [row] = await server.db.select().from(users).where(eq(users.id, bob.id))
        const end = (token = '') => provider.http('POST', `/unsubscribe?from=notifyTimeEntries&token=${token}`)
        const page = await bob.socket()
        const tries = await Promise.all(Array.from({ length: 61 }, () => end(crypto.randomUUID())))
        expect(tries.filter(({ status }) => status === 429)).toHaveLength(1)
        expect((await end(row?.unsubscribeToken)).status).toBe(200)
        // An open page has its switches true at once.
        expect((await page.next('current_user_updated')).user).toMatchObject({
          notifyTimeEntries: false,
          emailNotifications: true,
        })
      })
    })

    test('a task that is deleted before its mail goes is left out', async () => {
      const { ada, bob, cleo, task } = await peopleWithoutNews(server)
      await comment(ada, task.id, 'One')
      await comment(cleo, task.id, 'Two')
      await server.db.update(tasks).set({ deletedAt: sql`now()` })
      await mailsGo()
      expect(await mailed(server)).toEqual([])
      expect(bob.user.username).toBe('bob')
    })
  },
  env,
)

const ascending = (a: number, b: number) => a - b

async function nextRead(socket: Awaited<ReturnType<Person['socket']>>) {
  const { ids, unread } = await socket.next('notifications_read')
  return { ids: ids.toSorted(ascending), unread }
}

/** The mail to somebody whose subject begins like this; others of other tests are passed over. */
async function received(to: string, subject: string) {
  for (;;) {
    const mail = await post.next(to)
    if (mail.subject.startsWith(subject)) return mail
  }
}

import { afterAll, describe, expect, test } from 'bun:test'
import { eq, like } from 'drizzle-orm'
import { mails, users } from '../../src/db/tables'
import { mentionsIn } from '../../src/users/mentions'
import { processorTime } from '../support/cpu'
import { onEachDatabase } from '../support/databases'
import { mailbox } from '../support/mail'
import type { Person } from '../support/people'

describe('a mention', () => {
  const members = new Set(['ada', 'bob', 'bob.b', 'cleo-', 'x_1'])
  const found = (text: string) => mentionsIn(text, (name) => members.has(name)).map(({ from, to }) => text.slice(from, to))
  for (const [text, mentions] of [
    ['@ada', ['@ada']],
    ['see @ada, @bob and (@x_1)', ['@ada', '@bob', '@x_1']],
    ['Ask @Ada.', ['@Ada']],
    ['Ask @bob.b. Or @bob...', ['@bob.b', '@bob']],
    ['@cleo- and @cleo', ['@cleo-']],
    ["@ada’s and @ada's", ['@ada', '@ada']],
    ['日本@ada 日本 @ada日本', []],
    ['日本、@ada、', ['@ada']],
    ['mail ada@ada or x@bob.b', []],
    ['https://social.example/@ada', []],
    ['@ada@social.example', []],
    ['@adam @ad @ @@ada', []],
    ['first\n@ada\n@bob', ['@ada', '@bob']],
    ['🙂@ada🙂', ['@ada']],
    ['@toString @__proto__', []],
  ] as const)
    test(`is found in ${JSON.stringify(text)}: ${mentions.length}`, () => expect(found(text)).toEqual([...mentions]))

  test('is found quickly in whatever is written', async () => {
    const hostile = ['@', '@a', '@a.', 'a@', '@-', '@.é'].map((piece) => piece.repeat(5_000).slice(0, 10_000))
    hostile.push(`@${'a'.repeat(9_998)}é`, `@${'-'.repeat(9_999)}`)
    expect(await processorTime(() => hostile.forEach(found))).toBeLessThan(1_000)
  })
})

const post = await mailbox()
afterAll(() => post.stop())

onEachDatabase(
  'whom a comment mentions',
  (server) => {
    /** A member whose name, and so whose mailbox, nobody had before; the mail that says they are one is taken. */
    async function newMember({ ada, board, person }: Awaited<ReturnType<typeof server.peopleWithTask>>) {
      const member = await person(`m${crypto.randomUUID().slice(0, 13)}`)
      await ada.api.boards.addMember.mutate({ boardId: board.id, username: member.user.username })
      await post.next(member.user.email)
      return member
    }
    const write = (person: Person, taskId: number, content: string) => person.api.comments.create.mutate({ taskId, content })
    const recipients = async () =>
      (await server.db.select({ to: mails.recipient }).from(mails).where(like(mails.subject, '%mentioned%')))
        .map(({ to }) => to)
        .toSorted()

    test('gets a mail with the text and a link to the task', async () => {
      const given = await server.peopleWithTask('Dig <deep>')
      const { ada, board, task } = given
      const { user } = await newMember(given)
      await write(ada, task.id, `Hello **@${user.username}**,\nis \`<this>\` [deep](https://a.example) enough?\n\n- [ ] say`)
      const mail = await post.next(user.email)
      expect(mail.subject).toBe('ada mentioned you on “Dig <deep>”')
      expect(mail.text).toContain(`Hello @${user.username},\n\nis <this> deep enough?\n\nsay`)
      expect(mail.html).toContain('is &lt;this&gt; deep enough?')
      expect(mail.link).toMatch(
        new RegExp(`${new URL(server.origin).port}/board/${board.id}\\?task=${task.id}&openTaskDetail=true&comment=\\d+$`),
      )
      expect(await recipients()).toEqual([user.email])
    })

    test('gets one mail however often they are named, each member their own, and the author none', async () => {
      const { ada, board, task, person } = await server.peopleWithTask('Dig <deep>')
      await person('cleo')
      await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'cleo' })
      await write(ada, task.id, '@bob @Bob @cleo @ada @eve @nobody')
      expect(await recipients()).toEqual(['bob@example.com', 'cleo@example.com'])
    })

    test('are none within code, links and addresses', async () => {
      const { ada, task } = await server.peopleWithTask('Dig <deep>')
      for (const text of ['`@bob`', '[@bob](https://a.example)', '```\n@bob\n```', 'so:\n\n    @bob', 'https://a.example/@bob'])
        await write(ada, task.id, text)
      expect(await recipients()).toEqual([])
      await write(ada, task.id, '`@cleo` says **@bob**')
      expect(await recipients()).toEqual(['bob@example.com'])
    })

    for (const off of [{ notifyTaskCommented: false }, { emailNotifications: false }])
      test(`gets none with ${Object.keys(off)} switched off`, async () => {
        const { ada, bob, task } = await server.peopleWithTask('Dig <deep>')
        await server.db.update(users).set(off).where(eq(users.id, bob.id))
        await write(ada, task.id, '@bob')
        expect(await recipients()).toEqual([])
      })

    test('is told of an edit only where it names them for the first time', async () => {
      const { ada, board, task, person } = await server.peopleWithTask('Dig <deep>')
      await person('cleo')
      await ada.api.boards.addMember.mutate({ boardId: board.id, username: 'cleo' })
      const { id: commentId } = await write(ada, task.id, 'Hello @bob')
      for (const content of ['Dear @bob', 'Nobody', 'Again @bob', 'Now @bob and @cleo', 'Now @cleo'])
        await ada.api.comments.update.mutate({ commentId, content })
      expect(await recipients()).toEqual(['bob@example.com', 'cleo@example.com'])
      await write(ada, task.id, 'Another one, @bob')
      expect(await recipients()).toEqual(['bob@example.com', 'bob@example.com', 'cleo@example.com'])
    })

    test('gets sixty mails an hour by the same person, and the comments are stored all the same', async () => {
      const given = await server.peopleWithTask('Dig <deep>')
      const { ada, bob, task } = given
      const { user } = await newMember(given)
      // Deleting what was said makes no room.
      for (let n = 0; n < 61; n++) {
        const { id: commentId } = await write(ada, task.id, `@${user.username} ${n}`)
        if (n % 2) await ada.api.comments.delete.mutate({ commentId })
      }
      expect(await recipients()).toEqual(Array(60).fill(user.email))
      await write(bob, task.id, `@${user.username}`)
      expect(await recipients()).toHaveLength(61)
      expect((await ada.api.tasks.get.query({ taskId: task.id })).commentCount).toBe(32)
    })

    test('hears of nothing that was not stored', async () => {
      const { ada, bob, eve, task, path } = await server.peopleWithTask('Dig <deep>')
      await Promise.all(Array.from({ length: 20 }, () => ada.http('POST', `${path}/comments`, { content: '@bob' })))
      await eve.http('POST', `${path}/comments`, { content: '@bob' })
      await bob.http('POST', `${path}/comments`, { content: '@ada'.padEnd(10_001, 'a') })
      expect(await recipients()).toEqual(['bob@example.com'])
      expect((await ada.api.comments.list.query({ taskId: task.id })).length).toBe(1)
    })

    test('gets the beginning of a very long one', async () => {
      const given = await server.peopleWithTask('Dig <deep>')
      const { user } = await newMember(given)
      await write(given.ada, given.task.id, `@${user.username} ${'🙂'.repeat(2_000)}`)
      const { text } = await post.next(user.email)
      expect(text).toMatch(/🙂…\n/)
      expect(text.length).toBeLessThan(2_500)
    })
  },
  { SMTP_URL: post.url, MAIL_FROM: 'wrk <wrk@example.com>', MAIL_GATHER_SECONDS: '0' },
)

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Security } from '../../src/account/schema'
import { readConfig } from '../../src/config'
import { mails } from '../../src/db/tables'
import type { Person } from '../../src/operator/schema'
import type { Context } from '../../src/site/cli/command'
import { COMMANDS } from '../../src/site/cli/commands'
import { createServices } from '../../src/site/services'
import { browser } from '../support/browser'
import { onOneDatabase, openQuick } from '../support/databases'
import { linksTo } from '../support/links'
import { mailbox } from '../support/mail'
import { PASSWORD } from '../support/people'
import { dataFolder, run, startServer } from '../support/process'

const box = await mailbox()
afterAll(() => box.stop())

const FAILED_LINE = /gus@example\.org .* yes +No such mailbox$/
const env = { SMTP_URL: box.url, MAIL_FROM: 'wrk@example.com' }

onOneDatabase(
  'the command, of who runs the server',
  (server) => {
    let context: Context
    let stop = async () => {}
    beforeAll(async () => {
      const config = readConfig({ ...env, PUBLIC_URL: 'https://wrk.example.com', DATA_DIR: '/dev/null/nowhere' })
      const database = await openQuick()
      const created = await createServices(config, database)
      stop = created.stop
      context = { config, database, services: async () => created.services }
    })
    afterAll(() => stop())

    /** What a person sees. */
    async function wrk(name: string, given: Record<string, unknown> = {}): Promise<string> {
      const module = await COMMANDS[name]?.load()
      if (!module || !('run' in module)) throw new Error(`no command ${name}`)
      return module.show(await module.run(context, given as never), given as never)
    }

    test('lists and shows people', async () => {
      const { ada, person } = await server.people()
      const lines = (await wrk('user list')).split('\n')
      expect(lines).toHaveLength(4)
      expect(lines[0]).toMatch(/^id +username +email +confirmed +pro +operator +disabled +boards +since +seen$/)
      expect(await wrk('user list', { search: 'nobody' })).toBe('none found')
      for (const who of ['ada', 'ADA@example.com', String(ada.id)])
        expect(await wrk('user show', { who })).toContain('ada@example.com')
      const digits = String(ada.id).padStart(6, '0')
      await person(digits)
      expect(await wrk('user show', { who: digits })).toContain(`${digits}@example.com`)
      // Somebody has named themselves like the id of another.
      await server.db.execute(
        sql`insert into users (id, username, email) overriding system value values (700007, 'seven', 'seven@example.com')`,
      )
      await person('700007')
      await expect(wrk('user operator', { who: '700007' })).rejects.toThrow("is one user's username and another's id")
      expect(await wrk('user show', { who: 'seven@example.com' })).toContain('700007')
      await expect(wrk('user show', { who: 'nobody' })).rejects.toThrow('no user has the id, username or email "nobody"')
    })

    test('changes what an operator changes, and refuses the same', async () => {
      const { ada, bob } = await server.people()
      const [found] = await Promise.all([ada.socket(), bob.http('GET', '/api/auth/me')])
      expect(await wrk('user disable', { who: 'bob' })).toBe('bob is disabled')
      expect((await bob.http('GET', '/api/auth/me')).status).toBe(401)
      expect(await wrk('user enable', { who: 'bob' })).toBe('bob can sign in again')
      expect(await wrk('user pro', { who: 'bob' })).toBe('bob is now on Pro')
      expect(await wrk('user pro', { who: 'bob', off: true })).toBe('bob is now on Free')
      expect(await wrk('user operator', { who: 'ada' })).toBe('ada is an operator and can manage the server at /operator')
      await expect(wrk('user operator', { who: 'ada', off: true })).rejects.toThrow('This is the last operator')
      await expect(wrk('user disable', { who: 'ada' })).rejects.toThrow('This is the last operator')
      await wrk('user email', { who: 'bob', email: 'bob@bücher.example' })
      expect(await wrk('user show', { who: 'Bob@bücher.example' })).toContain('bob@xn--bcher-kva.example')
      expect(await wrk('user email', { who: 'bob', email: 'Bob@new.example' })).toContain('not confirmed yet')
      await expect(wrk('user email', { who: 'bob', email: 'x' })).rejects.toThrow('"x" is not an email address')
      expect(await wrk('user prove', { who: 'bob@new.example' })).toBe('bob has a confirmed email')
      expect((await ada.http('GET', '/api/operator/state')).status).toBe(200)
      found.close()
    })

    test('prints no control character of a board’s name', async () => {
      const { ada } = await server.people()
      await ada.api.boards.update.mutate({ boardId: (await ada.api.boards.list.query())[0]?.id ?? 0, name: 'a\x1b]0;b\x07c' })
      expect(await wrk('board list')).toContain(' a ]0;b c ')
      const module = await COMMANDS.import?.load()
      if (!module || !('run' in module)) throw new Error('no command')
      const given = { boardId: 1, name: 'a\x1b]0;b\x07c', tasks: 2, losses: [] }
      expect(module.show(given, {} as never)).toBe('“a ]0;b c” is board 1, with 2 tasks')
    })

    test('deletes an account, and says whose it was', async () => {
      const { ada, bob, board } = await server.people()
      const task = await ada.api.tasks.create.mutate({ boardId: board.id, title: 'Dig' })
      await bob.api.time.create.mutate({ taskId: task.id, duration: 30 })
      expect(await wrk('user delete', { who: 'bob' })).toBe('bob’s account was deleted')
      await expect(wrk('user show', { who: 'bob' })).rejects.toThrow('no user has')
      const { byUser } = await ada.api.time.report.query({ boardId: board.id })
      expect(byUser).toMatchObject([{ user: { name: 'Former member' }, minutes: 30 }])
    })

    test('makes a link by which a new password is set', async () => {
      await server.people()
      const link = await wrk('user reset-link', { who: 'bob' })
      expect(link).toStartWith('https://wrk.example.com/auth/verify?token=')
      const { verify, me, someone } = linksTo(server, box)
      const visitor = someone()
      await verify(visitor, new URL(link).searchParams.get('token') ?? '', '&confirmed=1')
      expect(await me(visitor)).toMatchObject({ username: 'bob' })
      const told = await box.next(
        'bob@example.com',
        ({ subject }) => subject === 'A password reset link was created for your wrk account',
      )
      expect(told.text).toContain('Someone with access to the server created a password reset link')
      const { operatorActs: acts, sessions } = (await visitor.http('GET', '/api/account')).body as Security
      expect(acts).toMatchObject([
        { did: 'link_used', by: null },
        { did: 'made_link', by: null },
      ])
      expect(sessions.find(({ current }) => current)).toMatchObject({ operatorActId: acts[0]?.id ?? 0 })
    })

    test('lists boards and hands one over', async () => {
      const { bob, board } = await server.people()
      expect(await wrk('board list', { search: 'garden' })).toMatch(/Garden +ada +2 +0/)
      expect(await wrk('board hand-over', { board: String(board.id), who: 'bob' })).toBe(
        `bob is now the creator of board ${board.id}`,
      )
      expect(await bob.api.boards.get.query({ boardId: board.id })).toMatchObject({ createdBy: bob.id })
      const { text } = await box.next('bob@example.com', ({ subject }) => subject.endsWith('is now yours'))
      expect(text).toContain('Someone with access to the server made you the creator')
      await expect(wrk('board hand-over', { board: 'x', who: 'bob' })).rejects.toThrow('"x" is not a number')
    })

    test('tries a mail, lists those that failed, and sends them again', async () => {
      expect(await wrk('mail test', { address: 'olga@example.com' })).toMatch(/^the email was sent: 250 /)
      box.behave('is busy')
      await expect(wrk('mail test', { address: 'olga@example.com' })).rejects.toThrow('Try again later')
      box.behave('accepts')
      expect(await wrk('mail failed')).toBe('none found')
      await server.db.insert(mails).values({
        recipient: 'gus@example.org',
        subject: 'x',
        text: 'x',
        html: 'x',
        state: 'failed',
        lastError: 'No such\nmailbox',
      })
      expect(await wrk('mail failed')).toMatch(FAILED_LINE)
      await expect(wrk('mail retry')).rejects.toThrow('give the id of an email, or --all')
      expect(await wrk('mail retry', { all: true })).toBe('1 email will be resent')
      expect((await box.next('gus@example.org')).subject).toBe('x')
    })
  },
  env,
)

test('beside a running server with the embedded database, its first account is its operator, and commands say JSON alone', async () => {
  const folder = await dataFolder()
  const { child, origin } = await startServer({ DATA_DIR: folder.path })
  const visitor = browser(origin)
  const grace = { username: 'grace', email: 'grace@example.com', password: PASSWORD }
  expect((await visitor.http('POST', '/api/auth/register', grace)).body).toMatchObject({ operator: true })
  const wrk = (...args: string[]) => run('src/site/cli/main.ts', { DATA_DIR: folder.path }, ...args).end()
  const listed = await wrk('user', 'list', '--json')
  expect(JSON.parse(listed.out) as Person[]).toMatchObject([{ username: 'grace', operator: true }])
  const refused = await wrk('user', 'disable', 'grace')
  expect([refused.code, refused.out, refused.error]).toEqual([
    1,
    '',
    'This is the last operator. Make someone else an operator first.\n',
  ])
  child.kill('SIGTERM')
  await child.exited
  await folder.remove()
})

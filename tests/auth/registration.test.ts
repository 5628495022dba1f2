import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../src/db/tables'
import { browser } from '../support/browser'
import { onServer } from '../support/databases'
import { PASSWORD } from '../support/people'

const grace = { username: 'grace', email: 'grace@example.com', password: PASSWORD }

onServer('registration', (server) => {
  const register = (changes: object) => browser(server.origin).http('POST', '/api/auth/register', { ...grace, ...changes })

  test('an account is made, signed in, and told about itself without its password', async () => {
    const visitor = browser(server.origin)
    const answer = await visitor.http('POST', '/api/auth/register', { ...grace, name: 'Grace Hopper' })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ username: 'grace', email: 'grace@example.com', name: 'Grace Hopper', isPro: false })
    expect(answer.text).not.toContain('password')
    expect((await visitor.http('GET', '/api/auth/me')).body).toEqual(answer.body)
    const [stored] = await server.db.select().from(users).where(eq(users.username, 'grace'))
    expect(stored?.password).toStartWith('$argon2id$')
  })

  test('username and email are kept in lower case, and the username without white space', async () => {
    const answer = await register({ username: ' Grace  HOPPER ', email: '  Grace@Example.COM ' })
    expect(answer.body).toMatchObject({ username: 'gracehopper', email: 'grace@example.com' })
  })

  test('the domain of an email may be written in any script, and signs in as it was written', async () => {
    for (const [username, email, kept] of [
      ['anna', 'Anna@BÜCHER.example', 'anna@xn--bcher-kva.example'],
      ['yuki', 'yuki@例え.テスト', 'yuki@xn--r8jz45g.xn--zckzah'],
    ] as const) {
      expect((await register({ username, email })).body).toMatchObject({ email: kept })
      expect((await register({ username: 'other', email: kept })).status).toBe(409)
      const login = await browser(server.origin).http('POST', '/api/auth/login', { username: email, password: PASSWORD })
      expect(login.body).toMatchObject({ username })
    }
  })

  test('notification switches are on unless turned off', async () => {
    const answer = await register({ notifyTaskCommented: false })
    expect(answer.body).toMatchObject({ emailNotifications: true, notifyTaskAssigned: true, notifyTaskCommented: false })
  })

  test('nobody registers as Pro', async () => {
    expect((await register({ isPro: true, id: 1 })).body).toMatchObject({ isPro: false })
  })

  const wrong: [string, object, string][] = [
    ['a username of two letters', { username: 'ab' }, 'Username must be at least 3 characters'],
    ['a username that is short once its spaces are gone', { username: 'a    b' }, 'Username must be at least 3 characters'],
    ['a username of 31 letters', { username: 'a'.repeat(31) }, 'Username must be at most 30 characters'],
    ['a username that starts with a dash', { username: '-grace' }, 'Username must start with a letter a–z or a digit'],
    [
      'a username with a slash',
      { username: 'gra/ce' },
      'Username can only contain letters a–z, digits, dots, dashes and underscores',
    ],
    ['a password of five characters', { password: '12345' }, 'Password must be at least 6 characters'],
    ['a password of 257 characters', { password: 'a'.repeat(257) }, 'Password must be at most 256 characters'],
    ...['123456', 'password', 'PassWord', 'qwertyuiop', 'trustno1', 'football'].map((password): [string, object, string] => [
      `the common password "${password}"`,
      { password },
      'This password is too common',
    ]),
    ['an address with a path', { email: 'grace@bücher/x.example' }, 'Please enter a valid email address'],
    ['an address without a domain', { email: 'grace' }, 'Please enter a valid email address'],
    ['a name of 81 characters', { name: 'n'.repeat(81) }, 'Must be at most 80 characters'],
    ...[
      'login',
      'Admin',
      'b o a r d',
      'api',
      'trpc',
      'null',
      'favicon.ico',
      'manifest.webmanifest',
      'settings',
      'subscribe',
      'health',
    ].map((username): [string, object, string] => [
      `the reserved name "${username}"`,
      { username },
      'This username is not available',
    ]),
  ]
  for (const [what, changes, message] of wrong)
    test(`${what} is refused`, async () => {
      const answer = await register(changes)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ message, code: 'BAD_REQUEST', issues: [{ path: Object.keys(changes)[0], message }] })
    })

  test('the longest and the shortest that fit are accepted', async () => {
    expect((await register({ username: 'a'.repeat(30), password: 'p'.repeat(256), email: 'a@example.com' })).status).toBe(201)
    expect((await register({ username: '3.x', password: 'gr8ape', email: 'b@example.com' })).status).toBe(201)
  })

  test('an email or a username that is in use is a conflict, in any case and spacing', async () => {
    await register({})
    const sameEmail = await register({ username: 'other', email: ' GRACE@example.com' })
    expect([sameEmail.status, sameEmail.body]).toEqual([409, { message: 'Email already in use', code: 'CONFLICT' }])
    const sameName = await register({ username: 'G R A C E', email: 'other@example.com' })
    expect([sameName.status, sameName.body]).toEqual([409, { message: 'Username already taken', code: 'CONFLICT' }])
  })

  test('of twenty that register one username at once, exactly one wins', async () => {
    const spellings = ['grace', 'GRACE', ' gr ace', 'Grace\t', 'g r a c e']
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => register({ username: spellings[i % 5], email: `grace${i}@example.com` })),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19)
    expect(await server.db.$count(users)).toBe(1)
  })

  test('of twenty that register one email at once, exactly one wins', async () => {
    const spellings = ['grace@example.com', 'GRACE@example.com', ' Grace@Example.com ']
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => register({ username: `grace${i}`, email: spellings[i % 3] })),
    )
    const refusals = answers.filter((answer) => answer.status !== 201)
    expect(refusals).toHaveLength(19)
    for (const { status, body } of refusals)
      expect([status, body]).toEqual([409, { message: 'Email already in use', code: 'CONFLICT' }])
    expect(await server.db.$count(users)).toBe(1)
  })
})

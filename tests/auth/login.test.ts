import { expect, test } from 'bun:test'
import { browser } from '../support/browser'
import { onServer } from '../support/databases'
import { PASSWORD } from '../support/people'

onServer('login', (server) => {
  const login = (username: string, password: string) =>
    browser(server.origin).http('POST', '/api/auth/login', { username, password })

  test('a person signs in with their username or their email, in any case', async () => {
    const { ada } = await server.people()
    for (const name of ['ada', ' ADA ', 'a d a', 'ada@example.com', 'Ada@Example.com']) {
      const answer = await login(name, PASSWORD)
      expect([name, answer.status]).toEqual([name, 200])
      expect(answer.body).toEqual(ada.user)
    }
  })

  test('a wrong password and an unknown user are answered alike', async () => {
    const { ada } = await server.people()
    const refusal = { message: 'Invalid username or password', code: 'UNAUTHORIZED' }
    for (const name of ['ada', ada.user.email, 'unknown', 'unknown@example.com']) {
      const answer = await login(name, 'wrong password')
      expect([name, answer.status, answer.body]).toEqual([name, 401, refusal])
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^asked=/)])
    }
  })

  test('a username and a password that are too short are told so', async () => {
    expect(await login('ab', PASSWORD)).toMatchObject({
      status: 400,
      body: { message: 'Username must be at least 3 characters' },
    })
    expect(await login('ada', '12345')).toMatchObject({
      status: 400,
      body: { message: 'Password must be at least 6 characters' },
    })
  })

  test('an account without a password cannot be signed in to with one', async () => {
    await browser(server.origin).http('POST', '/api/auth/dev-login-json')
    expect((await login('developer', 'anything at all')).status).toBe(401)
  })

  test('"me" and its alias know who is signed in, and nobody else', async () => {
    const { ada, nobody } = await server.people()
    for (const path of ['/api/auth/me', '/api/user']) {
      expect((await ada.http('GET', path)).body).toEqual(ada.user)
      expect(await nobody.http('GET', path)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    }
  })

  for (const path of ['/api/auth/logout', '/api/logout'])
    test(`${path} ends the session for good`, async () => {
      const { ada } = await server.people()
      const stolen = ada.cookie()
      expect(await ada.http('POST', path)).toMatchObject({ status: 200, body: { success: true } })
      expect(ada.cookie()).toBe('')
      expect((await ada.http('GET', '/api/auth/me', undefined, { cookie: stolen })).status).toBe(401)
      expect((await ada.http('POST', path)).status).toBe(200)
    })

  test('signing out one browser leaves the other signed in', async () => {
    const { ada } = await server.people()
    const other = browser(server.origin)
    await other.http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD })
    await ada.http('POST', '/api/auth/logout')
    expect((await other.http('GET', '/api/auth/me')).status).toBe(200)
  })

  test('the development login signs in as one account, made once', async () => {
    const visitors = Array.from({ length: 10 }, () => browser(server.origin))
    const answers = await Promise.all(visitors.map((visitor) => visitor.http('POST', '/api/auth/dev-login-json')))
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 200, body: { success: true, user: { username: 'developer' } } })
    for (const visitor of visitors) expect((await visitor.http('GET', '/api/auth/me')).status).toBe(200)
  })

  const returns: [string, string][] = [
    ['/board/7?task=1#top', '/board/7?task=1#top'],
    ['', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['/\t/evil.example', '/'],
    ['/..//evil.example', '/'],
    ['/.//evil.example/', '/'],
  ]
  for (const [given, path] of returns)
    test(`the development login returns from ${JSON.stringify(given)} to ${path}`, async () => {
      const visitor = browser(server.origin)
      const answer = await visitor.http('GET', `/api/auth/dev-login?returnUrl=${encodeURIComponent(given)}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, path])
      expect((await visitor.http('GET', '/api/auth/me')).status).toBe(200)
    })
})

const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://wrk.example.com', HOST: '127.0.0.1' }

onServer(
  'login in production',
  (server) => {
    test('there is no development login', async () => {
      const visitor = browser(server.origin)
      const answers = await Promise.all([
        visitor.http('POST', '/api/auth/dev-login-json'),
        visitor.http('GET', '/api/auth/dev-login'),
        visitor.http('POST', '/trpc/auth.devLogin', {}),
      ])
      for (const answer of answers) expect([answer.status, answer.headers.getSetCookie()]).toEqual([404, []])
    })

    test('the cookie travels only over https', async () => {
      await server.people()
      const answer = await browser(server.origin).http('POST', '/api/auth/login', { username: 'ada', password: PASSWORD })
      expect(answer.headers.getSetCookie()[0]).toMatch(/; Secure/)
    })

    test('only the public address is an own origin', async () => {
      const { ada } = await server.people()
      const from = (origin: string) => ada.http('POST', '/api/auth/logout', undefined, { origin })
      expect((await from(server.origin)).status).toBe(403)
      expect((await from('http://wrk.example.com')).status).toBe(403)
      expect((await from('https://wrk.example.com')).status).toBe(200)
    })
  },
  production,
)

import { type Browser, browser } from './browser'
import type { mailbox } from './mail'
import { PASSWORD } from './people'

let registered = 0

/** Who registers, and what mailed links do for them. */
export function linksTo(server: { origin: string }, box: Awaited<ReturnType<typeof mailbox>>) {
  const someone = () => browser(server.origin)
  const tokenOf = (link = '') => new URL(link).searchParams.get('token') ?? ''
  return {
    someone,
    /** Somebody new, in the browser in which they registered, with the token that was mailed to them. */
    async newcomer(who: Browser = someone()) {
      const username = `fay${registered++}`
      const email = `${username}@example.net`
      const answer = await who.http('POST', '/api/auth/register', { username, email, password: PASSWORD })
      if (answer.status !== 201) throw new Error(answer.text)
      const { id } = answer.body as { id: number }
      return { ...who, id, username, email, token: tokenOf((await box.next(email)).link) }
    },
    /** The token that the newest mail to somebody holds. */
    mailed: async (email: string) => tokenOf((await box.next(email)).link),
    verify: (visitor: Pick<Browser, 'http'>, token: string, rest = '', headers = {}) =>
      visitor.http('GET', `/api/auth/verify?token=${token}${rest}`, undefined, headers),
    login: (username: string, password = PASSWORD) => {
      const visitor = someone()
      return visitor.http('POST', '/api/auth/login', { username, password }).then(({ status }) => ({ status, visitor }))
    },
    me: async (visitor: Pick<Browser, 'http'>) => (await visitor.http('GET', '/api/auth/me')).body,
  }
}

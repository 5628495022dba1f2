import { createServer } from 'node:http'
import Provider, { interactionPolicy } from 'oidc-provider'

/** What the issuer says of somebody, beside their `sub`. */
type Known = { email?: string; email_verified?: boolean; name?: string }

const CLIENT = { id: 'wrk', secret: 'a secret of theirs' }

/**
 * A real issuer of OpenID Connect in the test's process, whose sign-in page asks only who one is. Its `env` can be
 * given to `onEachDatabase` or `inChromium`.
 */
export async function openIdIssuer() {
  const people = new Map<string, Known>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the issuer has no port')
  const issuer = `http://127.0.0.1:${address.port}`
  const provider = quietly(() => providerAt(issuer, people))
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname
    if (!path.startsWith('/interaction/')) return answer(request, response)
    if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(SIGN_IN)
    const form = new URLSearchParams(await bodyOf(request))
    const sub = form.get('sub')
    const result = sub ? { login: { accountId: sub } } : { error: 'access_denied' }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })

  return {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret, OIDC_NAME: 'Guild' },
    /** Gives somebody an account there. */
    knows: (sub: string, about: Known) => people.set(sub, about),
    /** Signs in there as `sub`, or declines, as a browser that was sent to `url`; answers the address that it is sent back to. */
    async visit(url: string, sub?: string): Promise<string> {
      const jar = new Map<string, string>()
      let next = url
      let body: URLSearchParams | undefined
      while (next.startsWith(issuer)) {
        const asked = { redirect: 'manual', headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') } } as const
        const got = await fetch(next, body ? { ...asked, method: 'POST', body } : asked)
        for (const [name, value] of got.headers.getSetCookie().map(pairOf)) jar.set(name, value)
        const location = got.headers.get('location')
        body = undefined
        if (location) next = new URL(location, next).href
        else if (new URL(next).pathname.startsWith('/interaction/')) body = new URLSearchParams(sub ? { sub } : {})
        else throw new Error(`the issuer answered ${got.status}: ${await got.text()}`)
      }
      return next
    },
    /** Ends it, whoever is connected. */
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

const SIGN_IN = `<!doctype html><title>Guild</title><form method="post">
  <label>Who are you? <input name="sub"></label> <button>Sign in</button></form>
  <form method="post"><button>Cancel</button></form>`

const pairOf = (setCookie: string): [string, string] => {
  const [pair = ''] = setCookie.split(';')
  const [name = '', ...value] = pair.split('=')
  return [name, value.join('=')]
}

async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function providerAt(issuer: string, people: Map<string, Known>) {
  // What runs on one's own machine is asked for consent again each time.
  const policy = interactionPolicy.base()
  policy.get('consent')?.checks.remove('native_client_prompt')
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        // What runs on one's own machine may come from any port of it.
        application_type: 'native',
        redirect_uris: ['http://localhost/api/auth/oauth/oidc/callback'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}`, policy },
    cookies: { keys: ['of a test'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 600 },
    // Nobody is asked for their consent.
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc
      if (!client || !session?.accountId) return undefined
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
}

/** It warns that its keys are a newcomer's, of which a test needs to hear nothing. */
function quietly<T>(work: () => T): T {
  const { warn, info } = console
  Object.assign(console, { warn() {}, info() {} })
  try {
    return work()
  } finally {
    Object.assign(console, { warn, info })
  }
}

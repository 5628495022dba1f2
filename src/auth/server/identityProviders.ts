import { CodeChallengeMethod, OAuth2Client } from 'arctic'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Config } from '../../config'
import { notFound } from '../../server/errors'
import { email } from '../schema'

/** An e-mail only when the provider vouches for it. */
export const claims = z.object({ subject: z.string().min(1).max(1000), email, name: z.string().nullish() })
export type Claims = z.output<typeof claims>

type Provider = {
  url(ask: Asked): Promise<URL>
  claims(code: string, asked: Asked): Promise<z.input<typeof claims>>
}
/** Created for each sign-in; the provider's answer must match. */
type Asked = { state: string; verifier: string; nonce: string }

const ANSWERS_WITHIN = 10_000

type Client = { clientId: string; clientSecret: string }

const discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
})
const idClaims = z.object({
  sub: z.string(),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.string()]).optional(),
  name: z.string().optional(),
})

type Discovered = z.output<typeof discovery> & { keys: ReturnType<typeof createRemoteJWKSet> }
const discovered = new Map<string, { until: number; at: Discovered }>()
const DISCOVERED_FOR = 10 * 60_000

const bare = (address: string) => address.replace(/\/$/, '')

async function discover(issuer: string): Promise<Discovered> {
  const known = discovered.get(issuer)
  if (known && known.until > Date.now()) return known.at
  const said = discovery.parse(await getJson(`${bare(issuer)}/.well-known/openid-configuration`))
  if (bare(said.issuer) !== bare(issuer)) throw new Error(`the issuer calls itself ${said.issuer}`)
  const at = { ...said, keys: createRemoteJWKSet(new URL(said.jwks_uri), { timeoutDuration: ANSWERS_WITHIN }) }
  discovered.set(issuer, { until: Date.now() + DISCOVERED_FOR, at })
  return at
}

function openIdConnect({ issuer, clientId, clientSecret }: Client & { issuer: string }, redirectUri: string): Provider {
  const client = new OAuth2Client(clientId, clientSecret, redirectUri)
  return {
    async url({ state, verifier, nonce }) {
      const { authorization_endpoint } = await discover(issuer)
      const url = client.createAuthorizationURLWithPKCE(authorization_endpoint, state, CodeChallengeMethod.S256, verifier, [
        'openid',
        'email',
        'profile',
      ])
      url.searchParams.set('nonce', nonce)
      return url
    },
    async claims(code, { verifier, nonce }) {
      const at = await discover(issuer)
      const tokens = await inTime(client.validateAuthorizationCode(at.token_endpoint, code, verifier))
      const { payload } = await jwtVerify(tokens.idToken(), at.keys, {
        issuer: at.issuer,
        audience: clientId,
        requiredClaims: ['exp', 'sub'],
      })
      if (payload.nonce !== nonce) throw new Error('the nonce is another')
      // Many issuers include the e-mail only here.
      const more = at.userinfo_endpoint && !payload.email ? await getJson(at.userinfo_endpoint, tokens.accessToken()) : {}
      const said = idClaims.parse({ ...payload, ...(more as object) })
      if (said.sub !== payload.sub) throw new Error('the user information is about somebody else')
      if (String(said.email_verified) !== 'true') throw new Error('the issuer does not vouch for the e-mail')
      // Subjects are unique only within their issuer.
      return { subject: `${issuer} ${said.sub}`, email: said.email ?? '', name: said.name }
    },
  }
}

const GITHUB = { site: 'https://github.com/login/oauth', api: 'https://api.github.com' }
const gitHubUser = z.object({ id: z.number(), name: z.string().nullish() })
const gitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** GitHub speaks OAuth without OpenID Connect. */
export function gitHub({ clientId, clientSecret }: Client, redirectUri: string, at = GITHUB): Provider {
  const client = new OAuth2Client(clientId, clientSecret, redirectUri)
  return {
    url: async ({ state, verifier }) =>
      client.createAuthorizationURLWithPKCE(`${at.site}/authorize`, state, CodeChallengeMethod.S256, verifier, ['user:email']),
    async claims(code, { verifier }) {
      const tokens = await inTime(client.validateAuthorizationCode(`${at.site}/access_token`, code, verifier))
      const token = tokens.accessToken()
      const { id, name } = gitHubUser.parse(await getJson(`${at.api}/user`, token))
      const emails = gitHubEmails.parse(await getJson(`${at.api}/user/emails`, token))
      const proven = emails.find(({ primary, verified }) => primary && verified)
      if (!proven) throw new Error('GitHub vouches for no primary e-mail')
      return { subject: String(id), email: proven.email, name }
    },
  }
}

async function getJson(url: string, token?: string): Promise<unknown> {
  const headers = { accept: 'application/json', 'user-agent': 'wrk', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWERS_WITHIN) })
  if (!answer.ok) throw new Error(`${new URL(url).host} answered ${answer.status}`)
  return answer.json()
}

const inTime = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([work, Bun.sleep(ANSWERS_WITHIN).then(() => Promise.reject(new Error('the provider did not answer in time')))])

const GOOGLE = 'https://accounts.google.com'

/** Throws NOT_FOUND when the provider is not configured. */
export function providerOf(id: string, { google, github, oidc }: Config, redirectUri: string): Provider {
  if (id === 'google' && google) return openIdConnect({ ...google, issuer: GOOGLE }, redirectUri)
  if (id === 'github' && github) return gitHub(github, redirectUri)
  if (id === 'oidc' && oidc) return openIdConnect(oidc, redirectUri)
  throw notFound()
}

import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from 'arctic'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Config } from '../../config'
import { notFound } from '../../server/errors'
import { fetchWithin } from '../../server/outbound'
import { email } from '../../users/schema'

export const claims = z.object({ subject: z.string().min(1).max(1000), email, name: z.string().nullish() }).brand<'vouched'>()
export type Claims = z.output<typeof claims>

type Provider = {
  url(challenge: Challenge): Promise<URL>
  claims(code: string, challenge: Challenge): Promise<z.input<typeof claims>>
}
type Challenge = { state: string; verifier: string; nonce: string }

const PROVIDER_TIMEOUT_MS = 10_000
/** Their documents take a few kilobytes; parsing much more would block the process. */
const ask = fetchWithin({ maxBytes: 256 * 1024, timeoutMs: PROVIDER_TIMEOUT_MS })

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

type IssuerMetadata = z.output<typeof discovery> & { keys: ReturnType<typeof createRemoteJWKSet> }
const discovered = new Map<string, { until: number; metadata: IssuerMetadata }>()
const DISCOVERY_TTL_MS = 10 * 60_000

const SIGNATURES = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

const withoutSlash = (address: string) => address.replace(/\/$/, '')

async function discover(issuer: string): Promise<IssuerMetadata> {
  const known = discovered.get(issuer)
  if (known && known.until > Date.now()) return known.metadata
  const document = discovery.parse(await getJson(`${withoutSlash(issuer)}/.well-known/openid-configuration`))
  if (withoutSlash(document.issuer) !== withoutSlash(issuer)) throw new Error(`the issuer calls itself ${document.issuer}`)
  const keys = createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: PROVIDER_TIMEOUT_MS, [customFetch]: ask })
  const metadata = { ...document, keys }
  discovered.set(issuer, { until: Date.now() + DISCOVERY_TTL_MS, metadata })
  return metadata
}

function openIdConnect({ issuer, ...own }: Client & { issuer: string }, redirectUri: string): Provider {
  const { clientId } = own
  const client = new OAuth2Client(clientId, null, redirectUri)
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
      const metadata = await discover(issuer)
      const tokens = await getTokens(metadata.token_endpoint, own, { code, redirectUri, verifier })
      const { payload } = await jwtVerify(tokens.idToken(), metadata.keys, {
        issuer: metadata.issuer,
        audience: clientId,
        algorithms: SIGNATURES,
        requiredClaims: ['exp', 'sub'],
      })
      if (payload.nonce !== nonce) throw new Error('the nonce does not match')
      const userInfo =
        metadata.userinfo_endpoint && !payload.email ? await getJson(metadata.userinfo_endpoint, tokens.accessToken()) : {}
      // idClaims checks what is in it.
      const vouched = idClaims.parse({ ...payload, ...(userInfo as object) })
      if (vouched.sub !== payload.sub) throw new Error('the user information is about someone else')
      if (String(vouched.email_verified) !== 'true') throw new Error('the issuer does not vouch for the email')
      // Subjects are unique only within their issuer.
      return { subject: `${issuer} ${vouched.sub}`, email: vouched.email ?? '', name: vouched.name }
    },
  }
}

const GITHUB = { site: 'https://github.com/login/oauth', api: 'https://api.github.com' }
const gitHubUser = z.object({ id: z.number(), name: z.string().nullish() })
const gitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

export function gitHub(own: Client, redirectUri: string, at = GITHUB): Provider {
  const client = new OAuth2Client(own.clientId, null, redirectUri)
  return {
    url: async ({ state, verifier }) =>
      client.createAuthorizationURLWithPKCE(`${at.site}/authorize`, state, CodeChallengeMethod.S256, verifier, ['user:email']),
    async claims(code, { verifier }) {
      const tokens = await getTokens(`${at.site}/access_token`, own, { code, redirectUri, verifier })
      const token = tokens.accessToken()
      const { id, name } = gitHubUser.parse(await getJson(`${at.api}/user`, token))
      const emails = gitHubEmails.parse(await getJson(`${at.api}/user/emails`, token))
      const verified = emails.find(({ primary, verified }) => primary && verified)
      if (!verified) throw new Error('GitHub reports no verified primary email')
      return { subject: String(id), email: verified.email, name }
    },
  }
}

async function getJson(url: string, token?: string): Promise<unknown> {
  const headers = { accept: 'application/json', 'user-agent': 'wrk', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await ask(url, { headers })
  if (!answer.ok) throw new Error(`${new URL(url).host} answered ${answer.status}`)
  return answer.json()
}

type Code = { code: string; redirectUri: string; verifier: string }

/** Arctic's own fetch has no limits. */
async function getTokens(endpoint: string, { clientId, clientSecret }: Client, { code, redirectUri, verifier }: Code) {
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier })
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const headers = { accept: 'application/json', 'user-agent': 'wrk', authorization }
  const answer = await ask(endpoint, { method: 'POST', body, headers })
  const { data: tokens } = tokenAnswer.safeParse(await answer.json().catch(() => null))
  if (!tokens || !answer.ok || tokens.error)
    throw new Error(`${new URL(endpoint).host} answered ${answer.status}: ${tokens?.error ?? 'no tokens'}`)
  return new OAuth2Tokens(tokens)
}

const tokenAnswer = z.looseObject({ error: z.string().max(100).optional() })

const GOOGLE = 'https://accounts.google.com'

export function providerOf(id: string, { google, github, oidc, onlyOidc }: Config, redirectUri: string): Provider {
  if (id === 'oidc' && oidc) return openIdConnect(oidc, redirectUri)
  if (onlyOidc) throw notFound()
  if (id === 'google' && google) return openIdConnect({ ...google, issuer: GOOGLE }, redirectUri)
  if (id === 'github' && github) return gitHub(github, redirectUri)
  throw notFound()
}

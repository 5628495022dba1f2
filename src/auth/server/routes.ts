import { z } from 'zod'
import { assertOwnHost, assertOwnOrigin } from '../../server/origin'
import { countCall } from '../../server/rateLimits'
import { parseInput, publicRoute, queryOf, type RouteRequest } from '../../server/routes'
import { ownUser } from '../../users/schema'
import { linkPurpose, verification } from '../schema'
import { signInDeveloper, verifyLink } from './verify'

export const authRoutes = [
  publicRoute.get(
    '/api/auth/verify',
    'auth.verify',
    'Sign in by the token of a link that was mailed; remember=1 outlives the browser',
    { answers: z.object({ user: ownUser, purpose: linkPurpose }), signsIn: true, refuses: [400, 401, 403, 429] },
    verify,
  ),
  publicRoute.get(
    '/api/auth/oauth/:provider',
    'auth.oauth',
    'Go to a provider (google, github, oidc) to sign in, where this server is set up for it',
    { answers: null, status: 302, signsIn: true, refuses: [403, 429] },
    async (asked) => (await oauth()).beginOAuth(asked),
  ),
  publicRoute.get(
    '/api/auth/oauth/:provider/callback',
    'auth.oauthCallback',
    'Come back from a provider, signed in, or to the login page',
    { answers: null, status: 302, signsIn: true, refuses: [429] },
    async (asked) => (await oauth()).finishOAuth(asked),
  ),
  publicRoute.get(
    '/api/auth/dev-login',
    'auth.devLoginRedirect',
    'Sign in as the developer, outside production, and go to returnUrl, a path of this site',
    { answers: null, status: 302, signsIn: true, refuses: [403, 404, 429] },
    devLogin,
  ),
]

// Loaded where it is used: most servers are set up for no provider.
const oauth = () => import('./oauth')

/** It signs someone in, so it counts as a change, which no other site may make a browser do. */
async function verify(asked: RouteRequest): Promise<Response> {
  const { services, request, headers, session } = asked
  assertOwnOrigin(request, services)
  await countCall(services, session)
  const { token = '', remember } = queryOf(request)
  return Response.json(await verifyLink(asked, parseInput(verification, { token, remember: remember === '1' })), { headers })
}

async function devLogin(asked: RouteRequest): Promise<Response> {
  const { services, request, headers, session } = asked
  assertOwnOrigin(request, services)
  assertOwnHost(request, services)
  await countCall(services, session)
  await signInDeveloper(asked)
  headers.set('Location', ownPath(queryOf(request).returnUrl, services.origin()))
  return new Response(null, { status: 302, headers })
}

/** A path of this site, or its front page: `//evil.example`, `/\\evil.example` and `/.//evil.example` lead elsewhere. */
function ownPath(given: string | undefined, origin: string): string {
  if (!given?.startsWith('/') || !URL.canParse(given, origin)) return '/'
  const url = new URL(given, origin)
  const path = url.pathname + url.search + url.hash
  return url.origin === origin && !path.startsWith('//') ? path : '/'
}

import { z } from 'zod'
import { assertOwnOrigin } from '../../server/origin'
import { countCall } from '../../server/rateLimits'
import { parseInput, publicRoute, queryOf, type RouteRequest } from '../../server/routes'
import { ownUser } from '../../users/schema'
import { linkPurpose, verificationQuery } from '../schema'
import { signInDeveloper, verifyLink } from './mailedLinks'
import { beginOAuth, finishOAuth } from './oauth'

export const authRoutes = [
  publicRoute.get(
    '/api/auth/verify',
    'auth.verify',
    'Sign in with the token of an emailed link; remember=1 keeps the browser signed in, confirmed=1 confirms when the link asks first',
    z.object({ user: ownUser, purpose: linkPurpose, passwordRemoved: z.boolean() }),
    verify,
    { signsIn: true, inputs: [verificationQuery], refuses: [401, 403, 409, 429] },
  ),
  publicRoute.get(
    '/api/auth/oauth/:provider',
    'auth.oauth',
    'Redirect to a provider (google, github, oidc) to sign in, if the server is set up for it',
    null,
    beginOAuth,
    { status: 302, signsIn: true, refuses: [403, 429] },
  ),
  publicRoute.get(
    '/api/auth/oauth/:provider/callback',
    'auth.oauthCallback',
    'Callback from a provider: signs in, or redirects to the login page',
    null,
    finishOAuth,
    { status: 302, signsIn: true, refuses: [429] },
  ),
  publicRoute.get(
    '/api/auth/dev-login',
    'auth.devLoginRedirect',
    'Sign in as the developer, on a developer’s own machine, and redirect to returnUrl, a path on this server',
    null,
    devLogin,
    { status: 302, signsIn: true, refuses: [403, 404, 429] },
  ),
]

/** It signs in, so it is checked like a change although it is a GET. */
async function verify(ctx: RouteRequest): Promise<Response> {
  const { services, request, headers, session } = ctx
  assertOwnOrigin(request, services)
  await countCall(services, session)
  const given = parseInput(verificationQuery, queryOf(request))
  // Following a link or loading an image is not consent.
  const confirmed = given.confirmed && (request.headers.get('sec-fetch-dest') ?? 'empty') === 'empty'
  return Response.json(await verifyLink(ctx, { ...given, confirmed }), { headers })
}

async function devLogin(ctx: RouteRequest): Promise<Response> {
  const { services, request, headers, session } = ctx
  assertOwnOrigin(request, services)
  await countCall(services, session)
  await signInDeveloper(ctx)
  headers.set('Location', ownPath(queryOf(request).returnUrl, services.origin()))
  return new Response(null, { status: 302, headers })
}

/** A path of this site, or `/`: `//evil.example`, `/\\evil.example` and `/.//evil.example` lead elsewhere. */
function ownPath(given: string | undefined, origin: string): string {
  if (!given?.startsWith('/') || !URL.canParse(given, origin)) return '/'
  const url = new URL(given, origin)
  const path = url.pathname + url.search + url.hash
  return url.origin === origin && !path.startsWith('//') ? path : '/'
}

import { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import { id } from '../schema'
import type { Context } from './context'
import { badRequest } from './errors'
import { countedSession } from './rateLimits'
import type { DescribedCall } from './rest'
import type { SignedIn, SignedInSession } from './signedIn'

export type RouteRequest = Context & { request: Request; params: Record<string, string> }
export type ProtectedRequest = RouteRequest & { session: SignedInSession; viewer: SignedIn }

export type RawRoute = DescribedCall & {
  method: 'GET' | 'POST'
  /** Refused as HEAD, which would sign in like GET. */
  signsIn?: boolean
  handle(ctx: RouteRequest): Promise<Response>
}

type RouteOptions = Partial<
  Pick<RawRoute, 'status' | 'takesFile' | 'mayTakeFile' | 'takesBytes' | 'inputs' | 'refuses' | 'signsIn'>
>

const route =
  <Ctx extends RouteRequest>(method: RawRoute['method'], needsSession: boolean, check: (ctx: RouteRequest) => Promise<Ctx>) =>
  (
    path: string,
    operationId: string,
    summary: string,
    response: z.ZodType | null,
    handle: (ctx: Ctx) => Promise<Response>,
    options: RouteOptions = {},
  ): RawRoute => ({
    method,
    path,
    operationId,
    summary,
    response,
    status: 200,
    inputs: [],
    refuses: [],
    ...options,
    needsSession,
    isCounted: needsSession,
    matches: false,
    handle: async (ctx) => handle(await check(ctx)),
  })

async function checkSignedIn(ctx: RouteRequest): Promise<ProtectedRequest> {
  const session = await countedSession(ctx.services, ctx.session)
  return { ...ctx, session, viewer: session.user }
}

const checkNothing = async (ctx: RouteRequest) => ctx

/** Without a viewer a handler can get no grant. */
export const publicRoute = { get: route('GET', false, checkNothing), post: route('POST', false, checkNothing) }

export const protectedRoute = { get: route('GET', true, checkSignedIn), post: route('POST', true, checkSignedIn) }

export function idIn(given: string | undefined): number {
  const parsed = id.safeParse(/^\d+$/.test(given ?? '') ? Number(given) : given)
  if (!parsed.success) throw badRequest('Must be a whole number')
  return parsed.data
}

export function parseInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: parsed.error })
  return parsed.data
}

export const queryOf = (request: Request): Record<string, string> => Object.fromEntries(new URL(request.url).searchParams)

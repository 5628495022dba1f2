import { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import { id } from '../schema'
import type { Context } from './context'
import { badRequest } from './errors'
import { countCall } from './rateLimits'
import { requireSignedIn, type Session, type SignedIn } from './session'

/** What a raw route is asked. */
export type RouteRequest = Context & { request: Request; params: Record<string, string> }
export type ProtectedRequest = RouteRequest & { session: Session; viewer: SignedIn }

type Described = {
  /** The schema of a JSON answer; null answers something else. */
  answers: z.ZodType | null
  status?: number
  /** The field of a form that holds the file that it takes. */
  takesFile?: string
  /** The schemas of its query. */
  inputs?: z.ZodType[]
  /** Statuses of refusals that do not follow from what it takes. */
  refuses?: number[]
  /** A GET that signs somebody in is refused as HEAD, by which servers answer what is there for GET. */
  signsIn?: boolean
}

/** A call that is no procedure: bytes, files, redirects, and a GET that changes something. */
export type RawRoute = Described & {
  method: 'GET' | 'POST'
  path: string
  operationId: string
  does: string
  status: number
  needsSession: boolean
  handle(asked: RouteRequest): Promise<Response>
}

const route =
  <Asked extends RouteRequest>(
    method: RawRoute['method'],
    needsSession: boolean,
    check: (asked: RouteRequest) => Promise<Asked>,
  ) =>
  (
    path: string,
    operationId: string,
    does: string,
    described: Described,
    handle: (asked: Asked) => Promise<Response>,
  ): RawRoute => ({
    method,
    path,
    operationId,
    does,
    status: 200,
    ...described,
    needsSession,
    handle: async (asked) => handle(await check(asked)),
  })

async function checkSignedIn(asked: RouteRequest): Promise<ProtectedRequest> {
  const viewer = requireSignedIn(asked.session)
  await countCall(asked.services, asked.session)
  // A viewer comes of a session, which TypeScript cannot see.
  return { ...asked, viewer, session: asked.session as Session }
}

const open = async (asked: RouteRequest) => asked

/** Raw routes for everyone: without a viewer, a handler can reach no grant. */
export const publicRoute = { get: route('GET', false, open), post: route('POST', false, open) }

/** Raw routes for whoever is signed in; counts their calls. */
export const protectedRoute = { get: route('GET', true, checkSignedIn), post: route('POST', true, checkSignedIn) }

/** A row's id in a path. Throws BAD_REQUEST. */
export function idIn(given: string | undefined): number {
  const parsed = id.safeParse(/^\d+$/.test(given ?? '') ? Number(given) : given)
  if (!parsed.success) throw badRequest('Must be a whole number')
  return parsed.data
}

/** What a schema makes of something given. Throws BAD_REQUEST with what is wrong with each field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: parsed.error })
  return parsed.data
}

export const queryOf = (request: Request): Record<string, string> => Object.fromEntries(new URL(request.url).searchParams)

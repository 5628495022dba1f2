import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { ZodError } from 'zod'
import { isUnavailable, messageOf, sqlState } from '../db/failures'
import { log } from '../log'
import type { RefusalBody } from '../protocol'
import { requestId } from './requests'
import { jsonResponse } from './responseBody'

type Code = TRPCError['code']
type Extra = Omit<RefusalBody, 'message' | 'code' | 'requestId'>

export class Refusal extends TRPCError {
  constructor(
    code: Code,
    message: string,
    readonly extra: Extra = {},
  ) {
    super({ code, message })
  }
}

const NO_ROOM = 'The server’s disk is full: nothing can be added or changed until space is freed.'

/** 507, for which tRPC has no code. */
export class NoRoom extends Refusal {
  constructor(message = NO_ROOM) {
    super('SERVICE_UNAVAILABLE', message)
  }
}

export class AccountFull extends NoRoom {}

export const badRequest = (message: string) => new Refusal('BAD_REQUEST', message)
export const unauthorized = (message = 'Please log in') => new Refusal('UNAUTHORIZED', message)
export const forbidden = (message: string, extra?: Extra) => new Refusal('FORBIDDEN', message, extra)
export const notFound = (message = 'Not found') => new Refusal('NOT_FOUND', message)
export const changedMeanwhile = (current: object) =>
  new Refusal('PRECONDITION_FAILED', 'This was changed in the meantime', { current })
export const conflict = (message: string, extra?: Extra) => new Refusal('CONFLICT', message, extra)

/** Our own faults are logged under an id and reveal nothing. */
export function explain(error: unknown): { status: number; body: RefusalBody } {
  const refusal = refusalOfDatabase(error)
  if (refusal) return explain(refusal)
  const noRoom = noRoomIn(error)
  if (noRoom) return { status: 507, body: { message: noRoom.message, code: 'INSUFFICIENT_STORAGE' } }
  if (!(error instanceof TRPCError) || error.code === 'INTERNAL_SERVER_ERROR') return explainFault(error)
  const status = getHTTPStatusCodeFromError(error)
  if (error.cause instanceof ZodError) {
    const issues = error.cause.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
    return { status, body: { message: issues[0]?.message ?? 'The input is invalid', code: error.code, issues } }
  }
  const message = error instanceof Refusal || !error.cause ? error.message : 'The request could not be read'
  return { status, body: { message, code: error.code, ...(error instanceof Refusal && error.extra) } }
}

const LOST_RACES: Record<string, () => Refusal> = {
  '23503': () => notFound('This was just deleted.'),
  '40P01': () => conflict('Someone else changed this at the same time. Please try again.'),
}

/** The codes of Postgres and the file system, even if others have just filled the disk. */
function noRoomIn(error: unknown): NoRoom | undefined {
  if (error instanceof NoRoom) return error
  if (!/^(53100|ENOSPC|EDQUOT)$/.test(sqlState(error) ?? fileCode(error))) return undefined
  log.error(`there is no space left: ${messageOf(error)}`)
  return new NoRoom()
}

function fileCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && 'syscall' in error ? String(error.code) : fileCode(error.cause)
}

function refusalOfDatabase(error: unknown): Refusal | undefined {
  if (isUnavailable(error)) return new Refusal('SERVICE_UNAVAILABLE', UNAVAILABLE, { retryAfter: UNAVAILABLE_SECONDS })
  return LOST_RACES[sqlState(error) ?? '']?.()
}

const UNAVAILABLE = 'The server cannot answer right now. Please try again in a few seconds.'
const UNAVAILABLE_SECONDS = 5

/** For work without a caller: the database's absence is already logged once. */
export const unlessUnavailable = (report: (error: unknown) => void) => (error: unknown) => {
  if (!isUnavailable(error)) report(error)
}

export const isDuplicate = (error: unknown): boolean => sqlState(error) === '23505'

function explainFault(error: unknown) {
  const id = requestId()
  log.error(`fault ${id}`, {}, error instanceof TRPCError ? (error.cause ?? error) : error)
  return { status: 500, body: { message: 'Something went wrong on our side.', code: 'INTERNAL_SERVER_ERROR', requestId: id } }
}

export function refusalResponse(error: unknown, headers = new Headers()): Response {
  const { status, body } = explain(error)
  for (const [name, value] of Object.entries(retryAfterHeader([error]))) headers.set(name, value)
  return jsonResponse(body, status, headers)
}

export function retryAfterHeader(errors: unknown[]): Record<string, string> {
  const refusals = errors.map((error) => (error instanceof Refusal ? error : refusalOfDatabase(error)))
  const seconds = refusals.flatMap((refusal) => refusal?.extra.retryAfter ?? [])
  return seconds.length > 0 ? { 'Retry-After': String(Math.max(...seconds)) } : {}
}

import { badRequest, changedMeanwhile } from './errors'

/** The ETags a client knows; weak ones match nothing. */
export type IfMatch = '*' | string[]

export const etagOf = ({ revision }: { revision: number }): string => `"${revision}"`

const TAG = /(?:W\/)?"[!#-~]*"/g
const LIST = /^(?:W\/)?"[!#-~]*"(?:[ \t]*,[ \t]*(?:W\/)?"[!#-~]*")*$/

export function ifMatchOf({ headers }: Request): IfMatch | null {
  const given = headers.get('if-match')
  if (given === null || given === '*') return given
  if (!LIST.test(given)) throw badRequest('If-Match must be *, or ETags such as "7"')
  return given.match(TAG)
}

/** Throws BAD_REQUEST: an ignored precondition must not seem to hold. */
export function assertNoMatch({ ifMatch }: { ifMatch: IfMatch | null }): void {
  if (ifMatch !== null) throw badRequest('What this call changes has no ETag: send the request without If-Match')
}

/** Needs the row's lock. Throws PRECONDITION_FAILED with the row. */
export function assertMatch({ ifMatch }: { ifMatch: IfMatch | null }, row: { revision: number }): void {
  if (ifMatch !== null && ifMatch !== '*' && !ifMatch.includes(etagOf(row))) throw changedMeanwhile(row)
}

/** Whether If-None-Match names the ETag, so that 304 will do. Here weak ones match as well. */
export function isKnown({ headers }: Pick<Request, 'headers'>, etag: string): boolean {
  const given = headers.get('if-none-match')
  if (given?.trim() === '*') return true
  return given?.match(TAG)?.some((tag) => strong(tag) === strong(etag)) ?? false
}

const strong = (tag: string) => tag.replace(/^W\//, '')

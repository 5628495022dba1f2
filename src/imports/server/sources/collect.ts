import { badRequest } from '../../../server/errors'
import { numberText } from '../../basics'
import { parseJson, readJson } from './json'
import type { Losses } from './losses'

type Takes = Record<string, (value: unknown, where: string) => unknown>
/** What the lists of a document hold, but for what was taken as undefined. */
type Collected<Take extends Takes> = { [List in keyof Take]: Exclude<ReturnType<Take[List]>, undefined>[] }

const ROWS_MAX = 500_000
/** A file in text, longer than any that wrk accepts. */
const MAY_BE_TOO_LONG = /(^|\.)attachments$/

export async function collect<Take extends Takes>(
  chunks: AsyncIterable<string>,
  takes: Take,
  losses: Losses,
): Promise<Collected<Take>> {
  const lists = new Map(Object.entries(takes).map(([list, take]) => [list, { take, seen: 0, taken: [] as unknown[] }]))
  let rows = 0
  await readJson(chunks, (list, text) => {
    const known = lists.get(list)
    if (!known) return
    known.seen += 1
    const where = `${list}, number ${known.seen}`
    if (text === null && MAY_BE_TOO_LONG.test(list)) return losses.add('files that are too large', where)
    if (text === null) throw badRequest(`This file has something that is too long: ${where}.`)
    const value = known.take(parseJson(text), where)
    if (value === undefined) return
    rows += 1
    if (rows > ROWS_MAX) throw badRequest(`This file has more than ${numberText(ROWS_MAX)} cards, comments and the like.`)
    known.taken.push(value)
  })
  return Object.fromEntries([...lists].map(([list, { taken }]) => [list, taken])) as Collected<Take>
}

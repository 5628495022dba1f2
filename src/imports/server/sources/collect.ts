import { badRequest } from '../../../server/errors'
import type { BoardBuilder } from './converted'
import { type ElementMax, parseJson, readJson } from './json'
import { isNarrow } from './kept'

export type Takes = Record<string, (value: unknown, where: string) => unknown>
/** What the lists of a document hold, but for what was taken as undefined. */
type Collected<Take extends Takes> = { [List in keyof Take]: Exclude<ReturnType<Take[List]>, undefined>[] }

/** A file in text, longer than any that wrk accepts. */
const MAY_BE_TOO_LONG = /(^|\.)attachments$/

export async function collect<Take extends Takes>(
  chunks: AsyncIterable<string>,
  takes: Take,
  { losses, kept }: Pick<BoardBuilder, 'losses' | 'kept'>,
  elementMax?: ElementMax,
): Promise<Collected<Take>> {
  const lists = new Map(Object.entries(takes).map(([list, take]) => [list, { take, seen: 0, taken: [] as unknown[] }]))
  await readJson(
    chunks,
    (list, text) => {
      const known = lists.get(list)
      if (!known) return
      known.seen += 1
      const where = `${list}, number ${known.seen}`
      if (text === null && MAY_BE_TOO_LONG.test(list)) return losses.add('files that are too large', where)
      if (text === null) throw badRequest(`This file has something that is too long: ${where}.`)
      const isOne = isNarrow(text)
      // Else one letter of another script in a file makes all texts that are read with it twice as large.
      const value = known.take(parseJson(isOne ? Buffer.from(text, 'latin1').toString('latin1') : text), where)
      if (value === undefined) return
      kept.add(value, isOne ? 0 : text.length)
      known.taken.push(value)
    },
    elementMax,
  )
  return Object.fromEntries([...lists].map(([list, { taken }]) => [list, taken])) as Collected<Take>
}

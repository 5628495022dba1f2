import { badRequest } from '../../../server/errors'
import { type BoardBuilder, isNarrow } from './boardBuilder'

/** `list` is like `cards` or `included.cards`; `text` is null if the object is too large. */
type TakeElement = (list: string, text: string | null) => void

const DEPTH = 64
const REST_MAX = 4 * 2 ** 20
const KEY_MAX = 100
/** The number of values decides how long parsing takes, far more than their length. */
const [COMMA_WEIGHT, KEY_WEIGHT, OPEN_WEIGHT] = [1, 10, 10]
type ElementMax = { length: number; weight: number }
const ELEMENT_MAX: ElementMax = { length: 8 * 2 ** 20, weight: 200_000 }
const REST_WEIGHT_MAX = 300_000

const DAMAGED = 'This file is damaged: its JSON is incomplete or invalid.'
const tooMuch = () => badRequest('This file is not an export we can import: one part of it is too large.')
const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [91, 93, 123, 125]

type Level = { isList: boolean; key: string }

/** Cuts the objects out of a document's lists while reading: parsing 64 MB at once would block the process. */
export async function readJson(chunks: AsyncIterable<string>, take: TakeElement, elementMax = ELEMENT_MAX): Promise<unknown> {
  const scanner = createScanner(take, elementMax)
  for await (const chunk of chunks) scanner.push(chunk)
  return scanner.end()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest(DAMAGED)
  }
}

/** An odd number of backslashes escapes it. */
function isEscapedAt(chunk: string, begin: number, at: number): boolean {
  let first = at
  while (first > begin && chunk.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

function createScanner(take: TakeElement, elementMax: ElementMax) {
  const levels: Level[] = []
  let depth = 0
  let isString = false
  let isEscaped = false
  let key = ''
  let isKey = false
  let cutAt: number | undefined
  let cut = ''
  let cutWeight = 0
  /** Joined at the end: strings built piece by piece take fifty times their size. */
  let pieces: string[] = []
  const rest: string[] = []
  let restLength = 0
  let restWeight = 0

  const inList = () => {
    const outer = levels.slice(0, -1)
    return levels.at(-1)?.isList && outer.length > 0 && outer.length <= 2 && outer.every(({ isList }) => !isList)
  }
  const listName = () =>
    levels
      .slice(0, -1)
      .map((level) => level.key)
      .join('.')

  function keep(text: string) {
    if (cutAt === undefined) keepRest(text)
    else if (cut.length <= elementMax.length) cut += text
  }

  function keepRest(text: string) {
    pieces.push(text)
    restLength += text.length
    if (restLength > REST_MAX) throw tooMuch()
  }

  function weigh(weight: number) {
    if (cutAt !== undefined) cutWeight += weight
    else restWeight += weight
    if (restWeight > REST_WEIGHT_MAX) throw tooMuch()
  }

  function open(isList: boolean): boolean {
    depth += 1
    if (depth > DEPTH) throw badRequest('This file is damaged: it is nested too deeply.')
    if (cutAt === undefined && !isList && inList()) return true
    weigh(OPEN_WEIGHT)
    if (cutAt !== undefined) return false
    levels.push({ isList, key: '' })
    isKey = !isList
    return false
  }

  function close(): boolean {
    depth -= 1
    if (cutAt === undefined) levels.pop()
    return cutAt !== undefined && depth < cutAt
  }

  function finishElement() {
    const name = listName()
    const text = cut.length > elementMax.length || cutWeight > elementMax.weight ? null : cut
    cutAt = undefined
    cut = ''
    cutWeight = 0
    keepRest('0')
    take(name, text)
  }

  function readString(chunk: string, from: number): number {
    const begin = isEscaped ? from + 1 : from
    isEscaped = false
    let at = chunk.indexOf('"', begin)
    while (at >= 0 && isEscapedAt(chunk, begin, at)) at = chunk.indexOf('"', at + 1)
    isString = at < 0
    if (isString) {
      at = chunk.length
      isEscaped = isEscapedAt(chunk, begin, at)
    }
    if (isKey && key.length < KEY_MAX) key += chunk.slice(from, Math.min(at, from + KEY_MAX))
    return at
  }

  function mark(code: number) {
    weigh(code === COLON ? KEY_WEIGHT : COMMA_WEIGHT)
    const level = levels.at(-1)
    if (cutAt !== undefined || !level || level.isList) return
    if (code === COLON) level.key = key
    isKey = code === COMMA
  }

  function push(chunk: string) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      if (isString) {
        at = readString(chunk, at)
        continue
      }
      const code = chunk.charCodeAt(at)
      if (code === QUOTE) {
        isString = true
        if (isKey) key = ''
      } else if (code === COLON || code === COMMA) mark(code)
      else if (code === OPEN || code === OPEN_LIST) {
        if (!open(code === OPEN_LIST)) continue
        keep(chunk.slice(from, at))
        cutAt = depth
        from = at
      } else if ((code === CLOSE || code === CLOSE_LIST) && close()) {
        keep(chunk.slice(from, at + 1))
        from = at + 1
        finishElement()
      }
    }
    keep(chunk.slice(from))
    rest.push(pieces.join(''))
    pieces = []
  }

  return {
    push,
    end: () => {
      if (cutAt !== undefined || isString) throw badRequest(DAMAGED)
      return parseJson(rest.join(''))
    },
  }
}

export type Parsers = Record<string, (value: unknown, where: string) => unknown>
export type Collected<Take extends Parsers> = { [List in keyof Take]: Exclude<ReturnType<Take[List]>, undefined>[] }

/** Files in base64, which may be larger than wrk accepts. */
const MAY_BE_TOO_LONG = /(^|\.)attachments$/

export async function collect<Take extends Parsers>(
  chunks: AsyncIterable<string>,
  takes: Take,
  { losses, kept }: Pick<BoardBuilder, 'losses' | 'kept'>,
  elementMax?: ElementMax,
  into: { [list: string]: unknown[] } = {},
): Promise<Collected<Take>> {
  const lists = new Map(Object.entries(takes).map(([list, take]) => [list, { take, seen: 0, taken: into[list] ?? [] }]))
  await readJson(
    chunks,
    (list, text) => {
      const known = lists.get(list)
      if (!known) return
      known.seen += 1
      const where = `${list}, number ${known.seen}`
      if (text === null && MAY_BE_TOO_LONG.test(list)) return losses.add('fileOverlong', where)
      if (text === null) throw badRequest(`One entry in this file is too long: number ${known.seen} in “${list}”.`)
      const isOne = isNarrow(text)
      // One wide letter in a file would make all its texts twice as large.
      const value = known.take(parseJson(isOne ? Buffer.from(text, 'latin1').toString('latin1') : text), where)
      if (value === undefined) return
      kept.add(value, isOne ? 0 : text.length)
      known.taken.push(value)
    },
    elementMax,
  )
  return Object.fromEntries([...lists].map(([list, { taken }]) => [list, taken])) as Collected<Take>
}

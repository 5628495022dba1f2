import { badRequest } from '../../../server/errors'
import { NOT_UNDERSTOOD, TEXT_MAX_BYTES } from '../../schema'
import type { Converted } from './converted'
import { readTable } from './csv'
import { convertHours, isHours } from './hours'
import { readJson } from './json'
import { convertPlankaAnswer } from './planka'
import { convertTasks } from './tasksCsv'
import { beginningOf, encodingOf, textOf } from './text'
import { convertTrello } from './trello'
import { convertWekan } from './wekan'

/** What another program exported, as the rows of a board. Throws BAD_REQUEST, in a sentence, for whatever cannot be understood. */
export async function convert(path: string, fileName: string): Promise<Converted> {
  if (Bun.file(path).size > TEXT_MAX_BYTES) throw badRequest(TOO_LARGE)
  const encoding = await encodingOf(path)
  const begin = await beginningOf(path, encoding)
  if (begin.startsWith('{') || begin.startsWith('[')) return convertJson(() => textOf(path, encoding))
  const table = await readTable(path)
  const name = fileName.replace(/\.\w{1,5}$/, '')
  return isHours(table) ? convertHours(table, name) : convertTasks(table, name)
}

const TOO_LARGE = `Files of other programs have at most ${TEXT_MAX_BYTES / 2 ** 20} MB.`

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

async function convertJson(read: () => AsyncIterable<string>): Promise<Converted> {
  const rest = await readJson(read(), () => {})
  if (!isObject(rest)) throw badRequest(NOT_UNDERSTOOD)
  if (/^wekan-board/.test(String(rest._format))) return convertWekan(read(), rest)
  if ([rest.lists, rest.cards, rest.actions].every(Array.isArray)) return convertTrello(read(), rest)
  if (isObject(rest.item) && isObject(rest.included)) return convertPlankaAnswer(read(), rest)
  throw badRequest(NOT_UNDERSTOOD)
}

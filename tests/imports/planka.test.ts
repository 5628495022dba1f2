import { afterAll, afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createKept, type Kept } from '../../src/imports/server/sources/boardBuilder'
import { convertPlanka as convertAnswers } from '../../src/imports/server/sources/planka'
import type { Asking, PlankaAccess } from '../../src/imports/server/sources/plankaAccess'
import { askForBoard, listPlankaBoards as boardsOf } from '../../src/imports/server/sources/plankaApi'
import { badRequest } from '../../src/server/errors'
import { createMemoryBudget } from '../../src/server/memoryBudget'
import type { FetchOutside } from '../../src/server/outbound'
import { outsideOf } from '../support/network'
import { dataFolder } from '../support/process'
import { expectedRows, fixture, keptInTests, rowsOf } from './converted'
import { KEY, startPlanka, TOKEN } from './plankaServer'

const servers = { 1: startPlanka(1), 2: startPlanka(2) }
const fetchHome = outsideOf({ importAllow: Object.values(servers).map(({ allow }) => allow) })
const folder = await dataFolder()
afterAll(() => Promise.all([folder.remove(), ...Object.values(servers).map(({ stop }) => stop())]))

afterEach(() => void setSystemTime())

const asking = async (access: PlankaAccess, fetchOutside: FetchOutside): Promise<Asking> => ({
  ...{ access, fetchOutside, memory: createMemoryBudget(2 ** 30), signal: new AbortController().signal },
  folder: await mkdtemp(join(folder.path, 'planka-')),
  fileMax: 5 * 2 ** 20,
  save: async (path, chunks) => writeFile(path, await Array.fromAsync(chunks)),
})
const plankaBoards = async (access: PlankaAccess, fetchOutside: FetchOutside) => boardsOf(await asking(access, fetchOutside))

async function convertPlanka(access: PlankaAccess, boardId: string, fetchOutside: FetchOutside, kept: Kept) {
  const asked = await asking(access, fetchOutside)
  await askForBoard(asked, boardId)
  return convertAnswers(asked.folder, kept)
}

/** As if a server answered so. */
const answering =
  (answer: (url: string) => { status: number; bytes: Uint8Array<ArrayBuffer> }): FetchOutside =>
  async (url, { save }) => {
    const { status, bytes } = answer(url)
    async function* once() {
      yield bytes
    }
    await save?.(once())
    return { status, type: 'application/json', bytes: new Uint8Array() }
  }

describe.each([
  [1, TOKEN],
  [2, KEY],
  [2, TOKEN],
] as const)('a Planka of version %d, asked with %s', (version, apiKey) => {
  const access = { url: servers[version].url, apiKey }

  test('tells its boards', async () => {
    expect(await plankaBoards(access, fetchHome)).toEqual([{ id: '100', name: 'Festival', project: 'Summer' }])
  })

  test('gives a board whole, with all comments, its archive and its files', async () => {
    const converted = await convertPlanka(access, '100', fetchHome, keptInTests())
    expect(await rowsOf(converted)).toEqual(await expectedRows(`planka-api${version}`))
    const [file] = await Promise.all(['file-1', 'file-9'].map(converted.file))
    expect(await file?.text()).toBe('the rider')
    expect(await converted.file('file-9')).toBeNull()
  })
})

test('refusals say what is wrong', async () => {
  const access = { url: servers[2].url, apiKey: KEY }
  await expect(plankaBoards({ ...access, apiKey: 'wrong' }, fetchHome)).rejects.toThrow('Planka does not accept this key.')
  await expect(convertPlanka(access, '../users', fetchHome, keptInTests())).rejects.toThrow('Planka has no such board')
  expect(servers[2].asked.at(-1)).toBe('/api/boards/..%2Fusers')
  await expect(plankaBoards({ ...access, url: `${servers[2].url}elsewhere` }, fetchHome)).rejects.toThrow(
    'No Planka server answers at this address.',
  )
  await expect(plankaBoards(access, outsideOf({ importAllow: [] }))).rejects.toThrow(`adds ${servers[2].allow} to IMPORT_ALLOW`)
})

test('a Planka that never comes to an end is given up', async () => {
  const comment = { id: '9', text: 'x'.repeat(80_000), userId: '7' }
  const endless = new TextEncoder().encode(JSON.stringify({ items: Array(50).fill(comment) }))
  const board = new Uint8Array(await Bun.file(fixture('planka1.json')).arrayBuffer())
  let asked = 0
  const neverEnding = answering((url) => {
    asked += 1
    return { status: 200, bytes: url.includes('/actions') ? endless : board }
  })
  const access = { url: 'https://planka.test', apiKey: KEY }
  // Bun waits within `rejects` in a way in which pauses take long.
  const failure = String(await convertPlanka(access, '100', neverEnding, createKept(2 ** 30)).catch((error) => error))
  expect(failure).toContain('too large')
  // A page has four million characters, and all may have sixty-four.
  expect(asked).toBeLessThan(25)
})

describe('a Planka that fails in the middle', () => {
  const access = { url: 'https://planka.test', apiKey: TOKEN }
  const answers = (given: object) => ({ status: 200, bytes: new Uint8Array(Buffer.from(JSON.stringify(given))) })
  const card = (nth: number) => ({ id: `c${nth}`, name: `Card ${nth}`, listId: 'l', position: nth })
  const file = (nth: number) => ({ id: `f${nth}`, cardId: 'c0', name: `${nth}.pdf`, url: `https://planka.test/${nth}.pdf` })
  const lists = [{ id: 'l', name: 'To do', position: 1 }]
  const none = [
    ...['labels', 'cardLabels', 'cardMemberships', 'boardMemberships', 'taskLists', 'tasks', 'users'],
    ...['customFields', 'customFieldValues'],
  ]
  const board = (rest: object) => ({
    item: { name: 'Festival' },
    included: { ...Object.fromEntries(none.map((list) => [list, []])), lists, ...rest },
  })

  test('is not asked for the comments of other cards once one is refused', async () => {
    let asked = 0
    const failing = answering((url) => {
      if (!url.includes('/actions'))
        return answers(board({ cards: Array.from({ length: 500 }, (_, nth) => card(nth)), attachments: [] }))
      asked += 1
      return { status: asked === 5 ? 500 : 200, bytes: answers({ items: [] }).bytes }
    })
    await expect(convertPlanka(access, '1', failing, keptInTests())).rejects.toThrow('No Planka server answers')
    // What was on its way at that moment has come to its end then.
    await setImmediate()
    expect(asked).toBeLessThan(12)
  })

  test('is not asked for files for ever', async () => {
    let asked = 0
    const failing = answering((url) => {
      if (url.includes('/actions')) return answers({ items: [] })
      if (!url.includes('/download/'))
        return answers(board({ cards: [card(0)], attachments: Array.from({ length: 60 }, (_, nth) => file(nth)) }))
      asked += 1
      throw badRequest('nobody answers')
    })
    const { file: read, losses } = await convertPlanka(access, '1', failing, keptInTests())
    for (let nth = 1; nth <= 60; nth++) expect(await read(`file-${nth}`)).toBeNull()
    expect(asked).toBe(20)
    expect(losses.find(({ what }) => what.startsWith('files that Planka did not send'))?.count).toBe(60)
  })

  test('is not asked for further files once those take too long', async () => {
    let asked = 0
    const slow = answering((url) => {
      if (url.includes('/actions')) return answers({ items: [] })
      if (!url.includes('/download/')) return answers(board({ cards: [card(0)], attachments: [file(0), file(1)] }))
      asked += 1
      setSystemTime(new Date(Date.now() + 301_000))
      return answers({})
    })
    const { file: read, losses } = await convertPlanka(access, '1', slow, keptInTests())
    expect([await read('file-1'), await read('file-2')].map((found) => found !== null)).toEqual([true, false])
    expect(asked).toBe(1)
    expect(losses.map(({ what }) => what)).toContain('files that Planka did not send, or that are too large for this server')
  })
})

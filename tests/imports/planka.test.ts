import { afterAll, describe, expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import { convertPlanka, plankaBoards } from '../../src/imports/server/sources/plankaApi'
import { createFetchOutside, type FetchOutside } from '../../src/server/outbound'
import { expectedRows, fixture, rowsOf } from './converted'
import { KEY, startPlanka, TOKEN } from './plankaServer'

const fetchHome = createFetchOutside({ importPrivateAddresses: true })
const servers = { 1: startPlanka(1), 2: startPlanka(2) }
afterAll(() => Promise.all(Object.values(servers).map(({ stop }) => stop())))

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
    const converted = await convertPlanka(access, '100', fetchHome)
    expect(await rowsOf(converted)).toEqual(await expectedRows(`planka-api${version}`))
    const [file] = await Promise.all(['file-1', 'file-9'].map(converted.file))
    expect(await file?.text()).toBe('the rider')
    expect(await converted.file('file-9')).toBeNull()
  })
})

test('refusals say what is wrong', async () => {
  const access = { url: servers[2].url, apiKey: KEY }
  await expect(plankaBoards({ ...access, apiKey: 'wrong' }, fetchHome)).rejects.toThrow('Planka does not accept this key.')
  await expect(convertPlanka(access, '../users', fetchHome)).rejects.toThrow('Planka has no such board')
  expect(servers[2].asked.at(-1)).toBe('/api/boards/..%2Fusers')
  await expect(plankaBoards({ ...access, url: `${servers[2].url}elsewhere` }, fetchHome)).rejects.toThrow(
    'At this address there is no Planka that answers.',
  )
  const { port } = new URL(servers[2].url)
  const fetchOutside = createFetchOutside({ importPrivateAddresses: false })
  await expect(plankaBoards({ ...access, url: `http://localhost:${port}` }, fetchOutside)).rejects.toThrow('private network')
})

test('a Planka that never comes to an end is given up', async () => {
  const comment = { id: '9', text: 'x'.repeat(2 ** 19), userId: '7' }
  const endless = new TextEncoder().encode(JSON.stringify({ items: Array(50).fill(comment) }))
  const board = new Uint8Array(await Bun.file(fixture('planka1.json')).arrayBuffer())
  let asked = 0
  const answering: FetchOutside = async (url) => {
    asked += 1
    return { status: 200, type: 'application/json', bytes: url.includes('/actions') ? endless : board }
  }
  await expect(convertPlanka({ url: 'https://planka.test', apiKey: KEY }, '100', answering)).rejects.toThrow('larger than any')
  expect(asked).toBe(7)
})

describe('a Planka that fails in the middle', () => {
  const access = { url: 'https://planka.test', apiKey: TOKEN }
  const answers = (given: object) => ({
    status: 200,
    type: 'application/json',
    bytes: new Uint8Array(Buffer.from(JSON.stringify(given))),
  })
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
    const failing: FetchOutside = async (url) => {
      if (!url.includes('/actions'))
        return answers(board({ cards: Array.from({ length: 500 }, (_, nth) => card(nth)), attachments: [] }))
      asked += 1
      return { status: asked === 5 ? 500 : 200, type: null, bytes: answers({ items: [] }).bytes }
    }
    await expect(convertPlanka(access, '1', failing)).rejects.toThrow('no Planka that answers')
    // What was on its way at that moment has come to its end then.
    await setImmediate()
    expect(asked).toBeLessThan(12)
  })

  test('is not asked for files for ever', async () => {
    let asked = 0
    const failing: FetchOutside = async (url) => {
      if (url.includes('/actions')) return answers({ items: [] })
      if (!url.includes('/download/'))
        return answers(board({ cards: [card(0)], attachments: Array.from({ length: 60 }, (_, nth) => file(nth)) }))
      asked += 1
      throw new Error('nobody answers')
    }
    const { file: read, losses } = await convertPlanka(access, '1', failing)
    for (let nth = 1; nth <= 60; nth++) expect(await read(`file-${nth}`)).toBeNull()
    expect(asked).toBe(20)
    expect(losses.find(({ what }) => what.startsWith('files that Planka did not give'))?.count).toBe(60)
  })
})

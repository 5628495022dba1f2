import { afterAll, describe, expect, test } from 'bun:test'
import { idempotencyKeys } from '../../src/db/tables'
import type { Services } from '../../src/server/context'
import { createApp } from '../../src/site/app'
import { calls } from '../../src/site/router'
import type { Answer, Browser } from '../support/browser'
import { onOneDatabase, type Server } from '../support/databases'
import { callProcedure } from '../support/everyCall'
import { dataFolder } from '../support/process'
import { type Row, rows, special } from '../support/walk'
import { ask, type Given, newWorld, procedures } from '../support/world'

/** Paths that lead to the above, or to nothing. */
const general = ['GET /trpc/*', 'POST /trpc/*', 'GET /api/*', 'ALL /api/*']

describe('the walk', () => {
  test('knows every procedure, and none that is gone', () => {
    expect(Object.keys(rows).toSorted()).toEqual(Object.keys(procedures).toSorted())
  })

  test('knows every path', () => {
    // The paths are only listed: nothing asks anything of the parts.
    const { app } = createApp({ config: {} } as Services, null)
    const served = app.routes.map(({ method, path }) => `${method} ${path}`)
    const known = [...calls.map(({ method, path }) => `${method} ${path}`), ...Object.keys(special), ...general]
    expect(served.toSorted()).toEqual(known.toSorted())
  })
})

const folder = await dataFolder()
afterAll(folder.remove)

const worlds = new WeakMap<Server, Promise<Given>>()

/** A board as each finds it. */
function worldOf(server: Server): Promise<Given> {
  const world = worlds.get(server) ?? newWorld(server)
  worlds.set(server, world)
  return world
}

const WHO = ['nobody', 'a stranger', 'a member', 'the creator', 'an operator']
type Asking = (browser: Browser, input: Record<string, unknown>, headers?: Record<string, string>) => ReturnType<Browser['http']>

/** Whatever is spent is made anew for the next one; a refusal changes nothing, or the next one finds out. */
async function asEach(server: Server, row: Row, status: number, reads: boolean, ask: Asking) {
  for (const [i, outcome] of [...row.to, row.operator ?? []].flat().entries()) {
    const world = await worldOf(server)
    const who = [world.nobody, world.eve, world.bob, world.ada, world.olga][i] ?? world.nobody
    const input = await row.input(world)
    const ends = !reads && !row.keyless && outcome === 'ok'
    const answer = ends ? await askTwice(server, who, input, ask) : await ask(who, input)
    expect([WHO[i], answer.status]).toEqual([WHO[i], outcome === 'ok' ? status : outcome])
    if (outcome !== 'ok' && !answer.text.startsWith('{"error"'))
      expect(answer.body).toMatchObject({ message: expect.any(String), code: expect.any(String) })
    if (outcome === 'ok' && row.spends) worlds.delete(server)
  }
}

/** A change that is asked for again under its key answers the same, and happens once. */
async function askTwice({ db }: Server, who: Browser, input: Record<string, unknown>, ask: Asking) {
  const key = { 'idempotency-key': crypto.randomUUID() }
  const before = await db.$count(idempotencyKeys)
  const answer = await ask(who, input, key)
  const again = await ask(who, input, key)
  const said = ({ status, text, headers }: Answer) => [status, text, headers.get('x-board-version'), headers.get('etag')]
  expect(said(again)).toEqual(said(answer))
  expect(await db.$count(idempotencyKeys)).toBe(before + (answer.status < 400 ? 1 : 0))
  return answer
}

onOneDatabase(
  'the walk',
  (server) => {
    for (const [name, row] of Object.entries(rows)) {
      const reads = procedures[name]?._def.type === 'query'
      test(`${name} answers each as it should`, () =>
        asEach(server, row, 200, reads, (browser, input, headers) => callProcedure(browser, name, input, headers)))
    }
  },
  { DATA_DIR: folder.path },
  { kept: true },
)

// These lead to the same procedures: no database has a part in that.
onOneDatabase(
  'the walk by path',
  (server) => {
    for (const call of calls)
      test(`${call.method} ${call.path} answers each as ${call.procedure} does`, () => {
        const row = rows[call.procedure]
        if (!row) throw new Error(`no row for ${call.procedure}`)
        return asEach(server, row, call.status, call.method === 'GET', (browser, input, headers) =>
          ask(browser, call, input, undefined, headers),
        )
      })

    for (const [key, row] of Object.entries(special)) {
      const [method = '', path = ''] = key.split(' ')
      test(`${key} answers each as it should`, () =>
        asEach(server, row, row.status, method === 'GET', (browser, input, headers) =>
          ask(browser, { method, path }, input, row.form?.(), headers),
        ))
    }
  },
  { DATA_DIR: folder.path },
  { kept: true },
)

/** Packed bytes may spell any short word by chance. */
const readable = ({ headers, text }: Answer) => (/zip$/.test(headers.get('content-type') ?? '') ? '' : text)

/** Of nothing on a board, or of whatever somebody has. */
const isOfBoard = ({ to }: Row, input: object) =>
  to[1] === 404 || Object.keys(input).some((name) => name.endsWith('Id') && name !== 'sessionId' && !('apiKey' in input))

onOneDatabase(
  'the walk around a deleted board',
  (server) => {
    /** Its name, its task, its texts and its file stand nowhere else. */
    async function deletedWorld() {
      const world = await worldOf(server)
      if (!(await world.ada.api.boards.list.query()).length) return world
      await world.ada.api.boards.delete.mutate({ boardId: world.board.id })
      return world
    }

    async function findsNothing(row: Row, reads: boolean, ask: Asking) {
      const world = await deletedWorld()
      for (const who of [world.bob, world.ada]) {
        const input = await row.input(world)
        if (isOfBoard(row, input)) expect([who.user.username, (await ask(who, input)).status]).toEqual([who.user.username, 404])
        else if (reads) expect(readable(await ask(who, input))).not.toMatch(/Garden|Dig/)
      }
    }

    for (const [name, row] of Object.entries(rows).filter(([, { listsDeleted }]) => !listsDeleted)) {
      const reads = procedures[name]?._def.type === 'query'
      test(`${name} finds nothing of it`, () => findsNothing(row, reads, (browser, input) => callProcedure(browser, name, input)))
    }

    for (const [key, row] of Object.entries(special).filter(([, { listsDeleted }]) => !listsDeleted)) {
      const [method = '', path = ''] = key.split(' ')
      test(`${key} finds nothing of it`, () =>
        findsNothing(row, method === 'GET' && !row.spends, (browser, input) =>
          ask(browser, { method, path }, input, row.form?.()),
        ))
    }
  },
  { DATA_DIR: folder.path },
  { kept: true },
)

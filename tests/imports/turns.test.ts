import { afterAll, expect, spyOn, test } from 'bun:test'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { BoardTables } from '../../src/archive/schema'
import { boards, imports, tasks, users } from '../../src/db/tables'
import { onOneDatabase } from '../support/databases'
import { AT, archiveOf, boardOf, tablesOf, taskRow, uploaded } from '../support/imports'
import { PASSWORD, type Person } from '../support/people'
import { dataFolder } from '../support/process'
import { until } from '../support/until'

const folder = await dataFolder()
afterAll(folder.remove)

const FAR = { task: 1, person: 1, name: 'far.png', file: null, thumbnail: null, createdAt: AT }

/** An archive with a file that is elsewhere, where nobody answers before `answer`: its import waits for that, tasks and all. */
async function waiting(tables = (url: string): Partial<BoardTables> => ({ attachments: [{ ...FAR, url }] })) {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const elsewhere = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch() {
      asked.resolve()
      await answered.promise
      return new Response(null, { status: 404 })
    },
  })
  const url = `http://files.test:${elsewhere.port}/far.png`
  return {
    archive: await archiveOf(tablesOf(tables(url))),
    asked: asked.promise,
    answer() {
      answered.resolve()
      return elsewhere.stop()
    },
  }
}

onOneDatabase(
  'imports that run',
  (server) => {
    const now = (person: Person, importId: number) => person.api.imports.get.query({ importId })
    const ended = (person: Person, importId: number) =>
      until('its end', async () => {
        const one = await now(person, importId)
        return one.state !== 'running' && one
      })
    /** For a person who is disabled. */
    const endedRow = (importId: number) =>
      until('its end', async () => {
        const [row] = await server.db.select().from(imports).where(eq(imports.id, importId))
        return row?.state !== 'running' && row
      })
    const start = (person: Person, importId: number) =>
      person.api.imports.start.mutate({ importId, choices: { name: 'Orchard' } })

    async function people() {
      const all = await server.people()
      await server.db.update(users).set({ isPro: true }).where(eq(users.id, all.ada.id))
      return all
    }

    test('go on beside each other, but one of a person at a time', async () => {
      const { ada, bob } = await people()
      const { archive, asked, answer } = await waiting()
      const [first, second] = [await uploaded(ada, archive), await uploaded(ada, await archiveOf(tablesOf()))]
      const small = await uploaded(bob, await archiveOf(tablesOf()))
      await start(ada, first.id)
      await start(ada, second.id)
      await asked
      await boardOf(bob, small)
      const [long, next] = [await now(ada, first.id), await now(ada, second.id)]
      expect([long.state, next.state, next.done]).toEqual(['running', 'running', 0])
      expect(long.done).toBeGreaterThan(0)
      await ada.api.imports.cancel.mutate({ importId: first.id })
      await answer()
      expect((await ended(ada, second.id)).state).toBe('done')
    })

    test('wait for nobody whose files come from a slow server, of however many people', async () => {
      const { ada, bob, person } = await people()
      const { archive, asked, answer } = await waiting()
      const others = await Promise.all(['dora', 'fred', 'gwen'].map(person))
      const slow = await Promise.all(
        [ada, ...others].map(async (person) => ({ person, upload: await uploaded(person, archive) })),
      )
      for (const { person, upload } of slow) await start(person, upload.id)
      await asked
      await boardOf(bob, await uploaded(bob, await archiveOf(tablesOf())))
      const states = await Promise.all(slow.map(async ({ person, upload }) => (await now(person, upload.id)).state))
      expect(states).toEqual(Array(slow.length).fill('running'))
      await answer()
      for (const { person, upload } of slow) expect((await ended(person, upload.id)).state).toBe('done')
    })

    test('of several boards wait for the files of each, and let others go on meanwhile', async () => {
      const { ada, bob, person } = await people()
      const lists = ['Garden', 'Orchard', 'Meadow']
      const tasks = lists.map((list, n) => taskRow(n + 1, { list }))
      const { archive, asked, answer } = await waiting((url) => ({ tasks, attachments: [{ ...FAR, task: 2, url }] }))
      const others = await Promise.all(['dora', 'fred', 'gwen'].map(person))
      await server.db.update(users).set({ isPro: true })
      const slow = await Promise.all(
        [ada, ...others].map(async (person) => ({ person, upload: await uploaded(person, archive) })),
      )
      for (const { person, upload } of slow)
        await person.api.imports.start.mutate({ importId: upload.id, choices: { name: 'All', boardPerList: true } })
      await asked
      await boardOf(bob, await uploaded(bob, await archiveOf(tablesOf())))
      const { state, boards: made } = await now(ada, slow[0]?.upload.id ?? 0)
      expect([state, ...made.map(({ name }) => name)]).toEqual(['running', 'Garden'])
      await answer()
      for (const { person, upload } of slow) {
        const done = await ended(person, upload.id)
        expect(done.boards.map(({ name }) => name)).toEqual(lists)
        expect(done.losses).toMatchObject([{ what: 'files that could not be fetched: left out', count: 1 }])
      }
    })

    test('end without a fault, and leave nothing, when their account is deleted at any moment', async () => {
      using logged = spyOn(console, 'error')
      const archive = await archiveOf(tablesOf())
      const { person } = await people()
      for (const nth of Array(32).keys()) {
        const eve = await person(`eve${nth}`)
        const upload = await uploaded(eve, archive)
        await start(eve, upload.id)
        for (const _ of Array(nth % 12).keys()) await eve.http('GET', '/api/auth/me')
        const remove = () => eve.http('DELETE', '/api/account', { password: PASSWORD })
        // 409 while the board is just being made.
        const left = await until('the account is gone', async () => [await remove()].find(({ status }) => status !== 409))
        expect(left.status).toBe(200)
        expect(await server.db.$count(imports, eq(imports.userId, eve.id))).toBe(0)
      }
      await until('no half board', async () => (await server.db.$count(boards, eq(boards.name, 'Orchard'))) === 0)
      expect(logged).not.toHaveBeenCalled()
    })

    test('stop once whoever began them is disabled, and leave nothing', async () => {
      const { ada } = await people()
      const { archive, asked, answer } = await waiting()
      const upload = await uploaded(ada, archive)
      await start(ada, upload.id)
      await asked
      const { done } = await now(ada, upload.id)
      expect(done).toBeGreaterThan(0)
      const [hidden] = await server.db.select({ boardId: imports.boardId }).from(imports).where(eq(imports.id, upload.id))
      await server.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, ada.id))
      await answer()
      const row = await endedRow(upload.id)
      expect(row).toMatchObject({ state: 'failed', boardId: null, error: expect.stringContaining('This account is disabled') })
      expect(row?.done).toBe(done)
      const left = () => server.db.$count(boards, eq(boards.id, hidden?.boardId ?? 0))
      await until('no half board', async () => (await left()) === 0)
      expect(await server.db.$count(tasks, eq(tasks.boardId, hidden?.boardId ?? 0))).toBe(0)
    })

    test('are given up after three tries that a crash cut off, as open pages are told', async () => {
      const { ada, bob } = await server.people()
      const socket = await ada.socket()
      const { id } = await uploaded(ada, await archiveOf(tablesOf()))
      const choices = { name: 'Orchard', columns: {}, closed: false }
      await server.db.update(imports).set({ state: 'running', choices, tries: 3 }).where(eq(imports.id, id))
      await boardOf(bob, await uploaded(bob, await archiveOf(tablesOf())))
      const error = 'The server stopped several times during this import.'
      expect((await socket.next('import_changed')).import).toMatchObject({ id, state: 'failed', error })
      expect(await endedRow(id)).toMatchObject({ tries: 4, holder: null, heldUntil: null })
    })

    test('are not begun for somebody who is disabled', async () => {
      const { ada, bob } = await server.people()
      const upload = await uploaded(ada, await archiveOf(tablesOf()))
      await server.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, ada.id))
      const choices = { name: 'Orchard', columns: {}, closed: false }
      await server.db.update(imports).set({ state: 'running', choices }).where(eq(imports.id, upload.id))
      await boardOf(bob, await uploaded(bob, await archiveOf(tablesOf())))
      expect((await endedRow(upload.id)).error).toStartWith('This account is disabled')
      expect(await server.db.$count(boards, and(eq(boards.createdBy, ada.id), isNotNull(boards.importedAt)))).toBe(0)
    })
  },
  { DATA_DIR: folder.path },
)

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { boardImport } from '../../src/imports/schema'
import { hostileFiles, writeHostile } from '../support/attack/hostileFiles'
import { browser } from '../support/browser'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { PASSWORD } from '../support/people'
import { dataFolder, startServer } from '../support/process'
import { PATIENCE } from '../support/until'

const MIB = 2 ** 20
/** IMPORT_MEMORY_MB by itself, and by how much any server swings that works hard: garbage not yet collected, code being compiled. */
const BUDGET = 256 * MIB
const BESIDE = 100 * MIB
/** Of each kind, by so many people at once: of two, each by itself within its bound, the sum would be, too. */
const PEOPLE = 3
/** One of each way to take memory; all of them where there is time. */
const USUAL = [
  'a ZIP whose entries have long comments',
  'an archive of long rows',
  'Trello, of small cards',
  'a CSV of small cells',
]
const KINDS = process.env.INPUTS ? Object.keys(hostileFiles) : USUAL
const LONGEST = (process.env.INPUTS ? 60 : 10) * PATIENCE
const SAMPLE_MS = 10
/** A large file takes longer than tests wait for one event. */
const LOOK_EVERY_MS = 200

const folder = await dataFolder()
afterAll(folder.remove)
let server: Awaited<ReturnType<typeof startServer>>
let people: ReturnType<typeof browser>[] = []
beforeAll(async () => {
  await putEmptyDatabase(folder.path)
  await Bun.write(harmless, `Title,Notes\n${'Dig,Roots\n'.repeat(HARMLESS_ROWS)}`)
  server = await startServer({ DATA_DIR: folder.path, TRUST_PROXY: '1' })
  // As each may upload thirty files an hour.
  people = Array.from({ length: 2 * PEOPLE }, () => browser(server.origin))
  for (const [nth, person] of people.entries()) {
    const given = { username: `person${nth}`, email: `person${nth}@example.com`, password: PASSWORD }
    expect((await person.http('POST', '/api/auth/register', given)).status).toBe(201)
  }
}, PATIENCE)
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.child.exited
}, PATIENCE)

async function residentBytes(): Promise<number> {
  const status = await Bun.file(`/proc/${server.child.pid}/status`).text()
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/** The most that the server has while the work goes on. */
async function peakDuring(work: Promise<unknown>): Promise<number> {
  let peak = 0
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  while (!isOver) {
    peak = Math.max(peak, await residentBytes())
    await Bun.sleep(SAMPLE_MS)
  }
  return peak
}

/** The largest, several at once on a slow machine, take longer than a request may: it is closed without an answer. */
function asClosed(error: Error) {
  if (!('code' in error && error.code === 'ECONNRESET')) throw error
  return { status: CLOSED, body: null }
}
const CLOSED = 0

/** Uploads it and, where it is taken, makes a board of it, which goes again. Answers the upload's status. */
async function imported(person: (typeof people)[number], path: string): Promise<number> {
  const { status, body } = await person.http('POST', '/api/imports?name=hostile', await Bun.file(path).bytes()).catch(asClosed)
  if (status !== 201) return status
  const { id } = boardImport.parse(body)
  const now = async () => boardImport.parse((await person.http('GET', `/api/imports/${id}`)).body)
  expect((await person.http('POST', `/api/imports/${id}/start`, { choices: { name: 'Hostile' } })).status).toBe(200)
  let found = await now()
  for (; found.state === 'running'; found = await now()) await Bun.sleep(LOOK_EVERY_MS)
  const { boardId } = found
  await person.http('DELETE', boardId === null ? `/api/imports/${id}` : `/api/boards/${boardId}`)
  return status
}

const harmless = join(folder.path, 'harmless.csv')
const HARMLESS_ROWS = 500

test.skipIf(process.platform !== 'linux')(
  'no file, by however many at once, makes the server grow by more than all imports may take',
  async () => {
    // Of a server at work: at rest it has 30 MiB less a second later, and its first imports compile code that stays.
    const before = await peakDuring(Promise.all(people.map((person) => imported(person, harmless))))
    for (const [at, kind] of KINDS.entries()) {
      const own = people.filter((_, nth) => nth % 2 === at % 2)
      const path = await writeHostile(folder.path, kind)
      const began = performance.now()
      const answers = Promise.all(own.map((person) => imported(person, path)))
      const grown = (await peakDuring(answers)) - before
      const statuses = await answers
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      console.info(`${kind}: ${statuses}, ${Math.round(grown / MIB)} MiB, ${seconds} s`)
      expect({
        kind,
        strange: statuses.filter((status) => ![201, 400, 503, ...(process.env.INPUTS ? [CLOSED] : [])].includes(status)),
      }).toEqual({ kind, strange: [] })
      expect(grown).toBeLessThan(BUDGET + BESIDE)
    }
  },
  LONGEST,
)

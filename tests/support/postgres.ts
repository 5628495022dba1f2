import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { freePort } from './redis'
import { until } from './until'

const [folder] = [...new Bun.Glob('/usr/lib/postgresql/*/bin').scanSync({ cwd: '/', onlyFiles: false, absolute: true })]
  .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  .toReversed()
const isRoot = process.getuid?.() === 0

if (!folder && process.env.CI) throw new Error('under CI the tests with a Postgres of their own must run: install postgresql')
if (!folder) console.warn('SKIPPED what stops a Postgres server: no Postgres was found')

/** Whether there is a Postgres to start; under CI there must be. */
export const canStartPostgres = folder !== undefined

/** Postgres refuses to run as root. */
const asItself = (command: string) => (isRoot ? ['su', 'postgres', '-s', '/bin/sh', '-c', command] : ['sh', '-c', command])

async function execute(command: string) {
  const child = Bun.spawn(asItself(`${folder}/${command}`), { cwd: '/', stdout: 'ignore', stderr: 'pipe' })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${command} failed: ${said}`)
}

type Signal = 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'

/** A Postgres server of one's own, which can be stopped in every way and started again. */
export async function ownPostgres() {
  const place = await mkdtemp(join(tmpdir(), 'wrk-postgres-'))
  await chmod(place, 0o700)
  if (isRoot) await chown(place, await idOf('-u'), await idOf('-g'))
  const data = join(place, 'data')
  const port = await freePort()
  const url = `postgres://wrk@127.0.0.1:${port}/postgres`
  await execute(`initdb -D ${data} -U wrk -E UTF8 --auth=trust --no-sync`)
  // Processes are killed here, not machines: what was written is kept without waiting for the disk.
  const options = `-p ${port} -k ${place} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200`
  const start = () => execute(`pg_ctl -w -D ${data} -l ${place}/log -o '${options}' start`)
  await start()

  /** The server's first process before those that it started, so that it starts no more of them. */
  async function processes() {
    const first = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
    const children = (await Bun.$`ps -o pid= --ppid ${first}`.nothrow().text()).split('\n').map(Number)
    return [first, ...children.filter(Boolean)]
  }
  async function signal(name: Signal) {
    const [first = 0] = await processes()
    signalOne(first, name)
    const all = await processes()
    for (const pid of all) signalOne(pid, name)
    return all
  }

  return {
    url,
    stop: (how: 'fast' | 'immediate') => execute(`pg_ctl -w -D ${data} -m ${how} stop`),
    async kill() {
      for (const pid of await signal('SIGSTOP')) signalOne(pid, 'SIGKILL')
    },
    freeze: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
    async startAgain() {
      // What the killed ones shared may not be free at once.
      await until('Postgres starts', () =>
        start().then(
          () => true,
          () => false,
        ),
      )
      await answers(url)
    },
    async remove() {
      await execute(`pg_ctl -w -D ${data} -m immediate stop`).catch(() => {})
      await rm(place, { recursive: true, force: true })
    },
  }
}

const idOf = async (option: string) => Number(await Bun.$`id ${option} postgres`.text())

function signalOne(pid: number, name: Signal) {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

const answers = (url: string) =>
  until('the Postgres server answers', async () => {
    const sql = new SQL(url, { max: 1 })
    const isThere = await sql`select 1`.then(
      () => true,
      () => false,
    )
    await sql.close({ timeout: 0 })
    return isThere
  })

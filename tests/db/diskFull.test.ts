import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { browser } from '../support/browser'
import { putEmptyDatabase } from '../support/emptyDatabase'
import { formWith } from '../support/files'
import { create, expectKept, workUntilKilled } from '../support/kill'
import { dataFolder, run, startServer } from '../support/process'
import { until } from '../support/until'

setDefaultTimeout(300_000)

const MIB = 2 ** 20
const made = z.object({ id: z.number() })

/** A small disk of the test's own, where this machine lets one be mounted. */
async function smallDisk() {
  const { path, remove } = await dataFolder()
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', path])
  const filler = join(path, 'filler')
  const free = () => {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  }
  const dataDir = join(path, 'data')
  if (mounted.success) await putEmptyDatabase(dataDir)
  return {
    isMounted: mounted.success,
    dataDir,
    /** Another program takes all but so many bytes. */
    fill(but: number) {
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, free() - but)))
      } catch {
        // The server took the rest meanwhile.
      }
    },
    makeRoom: () => truncateSync(filler, 0),
    async remove() {
      if (mounted.success) Bun.spawnSync(['umount', '-l', path])
      await remove()
    },
  }
}

const disk = await smallDisk().catch(() => null)
afterAll(() => disk?.remove())
if (!disk?.isMounted) console.warn('SKIPPED a disk that is really full: nothing can be mounted here')

describe.skipIf(!disk?.isMounted)('a disk that is really full', () => {
  if (!disk) return
  const env = { DATA_DIR: disk.dataDir, DISK_RESERVE_MB: '24' }

  test('changes are refused before it is, reading goes on, and so do changes once there is room', async () => {
    const { child, origin } = await startServer(env)
    const { ada, boardId } = await beginning(origin)
    const create = () => ada.http('POST', `/api/boards/${boardId}/tasks`, { title: 'Dig' })
    const { id } = made.parse((await create()).body)
    disk.fill(20 * MIB)
    expect((await create()).status).toBe(507)
    expect((await ada.http('GET', `/api/tasks/${id}`)).status).toBe(200)
    expect((await fetch(`${origin}/health`)).status).toBe(503)
    expect((await ada.http('DELETE', `/api/tasks/${id}`)).status).toBe(200)
    disk.makeRoom()
    expect((await create()).status).toBe(201)
    expect((await fetch(`${origin}/health`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test('deleting makes the room that changes need', async () => {
    // Postgres may begin a segment of its log, 16 MB, in the middle: the reserve has to outlast one.
    const { child, origin } = await startServer({ ...env, DISK_RESERVE_MB: '64' })
    const { ada, boardId } = await beginning(origin)
    const { id } = made.parse((await ada.http('POST', `/api/boards/${boardId}/tasks`, { title: 'Dig' })).body)
    for (let n = 0; n < 8; n++) {
      const file = formWith('x'.repeat(5 * MIB - 100), `${n}.txt`)
      expect((await ada.http('POST', `/api/attachments/${id}`, file)).status).toBe(201)
    }
    disk.fill(52 * MIB)
    expect((await ada.http('POST', `/api/boards/${boardId}/tasks`, { title: 'Sow' })).status).toBe(507)
    for (const path of [`/api/boards/${boardId}`, `/api/deleted-boards/${boardId}`])
      expect((await ada.http('DELETE', path)).status).toBe(200)
    const board = await until('room', async () => {
      const { status, body } = await ada.http('POST', '/api/boards', { name: 'Meadow' })
      return status === 201 && made.parse(body)
    })
    expect((await ada.http('POST', `/api/boards/${board.id}/tasks`, { title: 'Sow' })).status).toBe(201)
    expect((await fetch(`${origin}/health`)).status).toBe(200)
    disk.makeRoom()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test('filled amid writes by another program, and killed: what was acknowledged is there, and it never spins', async () => {
    const acknowledged = new Map<number, string>()
    let cookie = ''
    let boardId = 0
    for (const [round, left] of [0, 200_000, 1_000_000, 0].entries()) {
      // Without a reserve, as if it were filled between looking and writing.
      const { child, origin } = await startServer({ ...env, DISK_RESERVE_MB: '0' })
      if (round === 0) {
        const first = await beginning(origin)
        boardId = first.boardId
        cookie = first.ada.cookie()
      }
      const again = browser(origin, cookie)
      await expectKept(again, boardId, acknowledged)
      await workUntilKilled(
        10 + round * 5,
        () => disk.fill(left),
        async () => (await create(again, boardId, acknowledged, words())) === 201,
      )
      const answers = await Promise.race([
        fetch(`${origin}/robots.txt`).then(
          () => true,
          () => true,
        ),
        Bun.sleep(10_000),
      ])
      expect(answers).toBe(true)
      child.kill(round % 2 ? 'SIGKILL' : 'SIGTERM')
      await child.exited
      disk.makeRoom()
    }
    const { child, origin } = await startServer(env)
    await expectKept(browser(origin, cookie), boardId, acknowledged)
    expect(acknowledged.size).toBeGreaterThanOrEqual(40)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test('a start on it says in one line why not, and leaves the data for later', async () => {
    await rm(disk.dataDir, { recursive: true, force: true })
    disk.fill(0)
    const { code, error } = await run('src/main.ts', { PORT: '0', ...env }, '--no-page').end()
    expect([code, error]).toEqual([
      1,
      `the database in ${disk.dataDir}/postgres cannot be opened: ENOSPC: no space left on device, write\n`,
    ])
    disk.makeRoom()
    const { child } = await startServer(env)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })
})

test('when Postgres gives up the process ends with one line, and the next one has everything that was acknowledged', async () => {
  const { path, remove } = await dataFolder()
  const script = join(path, 'write.ts')
  const source = join(import.meta.dir, '../../src')
  await putEmptyDatabase(join(path, 'data'))
  // A segment of its log has 16 MB: with files limited to less, it cannot be filled.
  await Bun.write(
    script,
    `import { sql } from ${JSON.stringify(Bun.resolveSync('drizzle-orm', import.meta.dir))}
     import { openDatabase } from ${JSON.stringify(join(source, 'db/openDatabase.ts'))}
     const { db, close } = await openDatabase({ dataDir: ${JSON.stringify(join(path, 'data'))} })
     await db.execute(sql\`create table if not exists written (n int)\`)
     const { rows } = await db.execute(sql\`select count(*)::int as n from written\`)
     console.log('found', rows[0].n)
     for (let n = rows[0].n; process.argv.includes('write'); n++) {
       await db.transaction(async (transaction) => {
         await transaction.execute(sql\`insert into written values (\${n})\`)
         await transaction.execute(sql\`select pg_logical_emit_message(true, 'x', repeat('y', 1000000))\`)
       })
       console.log('wrote', n + 1)
     }
     await close()`,
  )
  await run(script, {}).end()
  const limited = Bun.spawn(['sh', '-c', 'trap "" XFSZ; ulimit -f 24000; exec "$0" "$@"', process.execPath, script, 'write'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([new Response(limited.stdout).text(), new Response(limited.stderr).text()])
  expect(await limited.exited).toBe(1)
  expect(error).toMatch(
    /^the database in .+\/data\/postgres failed: could not write to .+\. Everything it acknowledged is saved\. wrk is stopping: fix the cause and start it again\n$/,
  )
  const wrote = Number(/wrote (\d+)\n$/.exec(out)?.[1])
  expect(wrote).toBeGreaterThan(0)
  const next = await run(script, {}).end()
  expect([next.code, Number(/found (\d+)/.exec(next.out)?.[1])]).toEqual([0, wrote])
  await remove()
})

async function beginning(origin: string) {
  const ada = browser(origin)
  await ada.http('POST', '/api/auth/dev-login-json')
  const [board] = z.array(made).parse((await ada.http('GET', '/api/boards')).body)
  return { ada, boardId: (board ?? made.parse((await ada.http('POST', '/api/boards', { name: 'Garden' })).body)).id }
}

/** Words that do not compress, so that tables and the log have to grow. */
const words = () => Array.from({ length: 500 }, () => crypto.randomUUID()).join(' ')

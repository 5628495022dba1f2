import { afterAll, expect, test } from 'bun:test'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { listSource, SOURCE_FILES } from '../../src/site/sourceDownload'
import { onOneDatabase } from '../support/databases'
import { dataFolder, startServerIn } from '../support/process'

const ROOT = join(import.meta.dir, '../..')
const folder = await dataFolder()
afterAll(folder.remove)

const OWN = [
  'src/main.ts',
  'src/app/main.css',
  'drizzle/0000_first.sql',
  'public/images/logo.png',
  'package.json',
  'LICENSE',
  'docs/rules.md',
]
const OTHERS = [
  ...[
    'docs/deploy/wrk.env',
    'docs/deploy/wrk.service',
    'drizzle/dump.sql',
    'src/.env',
    '.env',
    'compose.yaml',
    'data/pg/1',
    'wrk.env',
  ],
  ...[
    'src/main.ts.bak',
    'src/backup.zip',
    'src/users.json',
    'public/backup.tar.gz',
    'docs/notes.txt',
    'tests/archive/mine.zip',
    'id_rsa',
  ],
]

async function folderWith(name: string, paths: string[]) {
  const root = join(folder.path, name)
  for (const path of paths) await Bun.write(join(root, path), 'text')
  return root
}

const git = (cwd: string, ...args: string[]) =>
  Bun.spawnSync(['git', '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd })

test('without a checkout the source is what is known by its folder and kind, whatever else lies there', async () => {
  const root = await folderWith('unpacked', [...OWN, ...OTHERS])
  expect(await listSource(root)).toEqual(OWN.toSorted())
})

test('of a checkout it is what is tracked, or runs, and nothing in which passwords are kept even then', async () => {
  const root = await folderWith('checkout', [...OWN, ...OTHERS])
  git(root, 'init')
  git(root, 'add', '-f', ...OWN, ...OTHERS)
  await Bun.write(join(root, 'src/new.ts'), 'text')
  await Bun.write(join(root, 'docs/untracked.md'), 'text')
  await Bun.write(join(root, 'drizzle/0001_dump.sql'), 'text')
  expect(await listSource(root)).toEqual([...OWN, 'src/new.ts'].toSorted())
})

test('all that is tracked here is part of it, but for what people write passwords into', async () => {
  const tracked = String(git(ROOT, 'ls-files').stdout).split('\n').filter(Boolean)
  const listed = await listSource(ROOT)
  const left = tracked.filter((path) => !listed.includes(path))
  expect(left.filter((path) => !/^compose\.yaml$|^docs\/deploy\//.test(path))).toEqual([])
})

function freePort(): number {
  const taken = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port = 0 } = taken
  void taken.stop()
  return port
}

onOneDatabase('the source of a server', (server) => {
  test('is there for everybody, with all that builds it, and nothing else that lies there', async () => {
    const answer = await fetch(`${server.origin}/api/source`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
    const files = [...(await new Bun.Archive(await answer.blob()).files()).keys()]
    expect(files).toContain('wrk/src/main.ts')
    expect(files).toContain('wrk/package.json')
    expect(files).toContain('wrk/LICENSE')
    expect(files.toSorted()).toEqual((await listSource(ROOT)).map((path) => `wrk/${path}`))
  })

  test('is a server that can be built and started, and gives away what its build has listed', async () => {
    const archive = new Bun.Archive(await (await fetch(`${server.origin}/api/source`)).blob())
    await archive.extract(folder.path)
    const root = join(folder.path, 'wrk')
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    const built = Bun.spawnSync([process.execPath, 'run', 'build'], { cwd: root })
    expect([built.exitCode, String(built.stderr)]).toMatchObject([0, expect.any(String)])
    const listed: string[] = await Bun.file(join(root, SOURCE_FILES)).json()
    await Bun.write(join(root, 'src/later.ts'), 'text')
    const port = freePort()
    const url = `http://127.0.0.1:${port}`
    const env = { NODE_ENV: 'production', PUBLIC_URL: url, PORT: String(port), DATA_DIR: join(folder.path, 'data') }
    const { child, origin } = await startServerIn(root, env, { options: ['--no-page'] })
    try {
      expect((await fetch(`${origin}/health`)).status).toBe(200)
      const again = await new Bun.Archive(await (await fetch(`${origin}/api/source`)).blob()).files()
      expect([...again.keys()].toSorted()).toEqual(listed.map((path) => `wrk/${path}`))
    } finally {
      child.kill()
      await child.exited
    }
  })
})

onOneDatabase(
  'a server whose source is elsewhere',
  (server) => {
    test('leads there', async () => {
      const { status, headers } = await fetch(`${server.origin}/api/source`, { redirect: 'manual' })
      expect([status, headers.get('location')]).toEqual([302, 'https://git.example.com/wrk'])
    })
  },
  { SOURCE_URL: 'https://git.example.com/wrk' },
)

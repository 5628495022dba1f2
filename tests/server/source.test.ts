import { expect, test } from 'bun:test'
import { onOneDatabase } from '../support/databases'

onOneDatabase('the source of a server', (server) => {
  test('is there for everybody, with all that builds it, and nothing else that lies there', async () => {
    const answer = await fetch(`${server.origin}/api/source`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
    const files = [...(await new Bun.Archive(await answer.blob()).files()).keys()]
    expect(files).toContain('wrk/src/main.ts')
    expect(files).toContain('wrk/package.json')
    expect(files).toContain('wrk/LICENSE')
    expect(files.filter((name) => !/^wrk\/((src|public|drizzle|docs|tests)\/|[\w.]+$)/.test(name))).toEqual([])
    expect(files.filter((name) => /\.git\/|node_modules|\/data\/|\.env/.test(name))).toEqual([])
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

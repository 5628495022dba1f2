import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readConfig } from '../../src/config'
import { mails } from '../../src/db/tables'
import { serve } from '../../src/site/serve'
import { onServer, openQuick } from '../support/databases'
import { PATIENCE } from '../support/until'

setDefaultTimeout(PATIENCE)
const TOKEN = 'sixteen-letters-or-more'
const authorization = `Bearer ${TOKEN}`

onServer(
  'metrics',
  (server) => {
    const ask = (headers: Record<string, string> = { authorization }) => fetch(`${server.origin}/metrics`, { headers })
    async function metrics() {
      const lines = (await (await ask()).text()).split('\n').filter((line) => line && !line.startsWith('#'))
      return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
    }

    test('are for whoever has the token', async () => {
      expect((await ask({})).status).toBe(401)
      expect((await ask({ authorization: `${authorization}r` })).status).toBe(401)
      const answer = await ask()
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
      const lines = (await answer.text()).trim().split('\n')
      for (const line of lines)
        expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? [\d.e+-]+)$/)
    })

    test('count requests by route and status, and how long they took', async () => {
      const { ada, eve, board } = await server.people()
      const before = await metrics()
      const path = `/api/boards/${board.id}`
      await Promise.all([ada.http('GET', path), ada.http('GET', path), eve.http('GET', path)])
      const after = await metrics()
      const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
      const route = 'method="GET",route="/api/boards/:boardId"'
      expect(grown(`wrk_requests_total{${route},status="200"}`)).toBe(2)
      expect(grown(`wrk_requests_total{${route},status="404"}`)).toBe(1)
      expect(grown(`wrk_request_seconds_count{${route}}`)).toBe(3)
      expect(grown(`wrk_request_seconds_bucket{${route},le="+Inf"}`)).toBe(3)
      expect(grown(`wrk_request_seconds_sum{${route}}`)).toBeGreaterThan(0)
      expect([...after.keys()].join()).not.toContain(path)
    })

    test('tell of sockets and boards that are open', async () => {
      const { ada, bob, board } = await server.people()
      const sockets = [await ada.socket(board), await ada.socket(), await bob.socket(board)]
      const now = await metrics()
      expect(['wrk_sockets', 'wrk_users_online', 'wrk_boards_open'].map((name) => now.get(name))).toEqual([3, 2, 1])
      for (const socket of sockets) socket.close()
    })

    test('tell of mails that wait or have failed, of the database, the disk and the process', async () => {
      const mail = { recipient: 'ada@example.com', subject: '', text: '', html: '' }
      const [hourAgo, later] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000))
      await server.db.insert(mails).values([
        { ...mail, state: 'waiting', createdAt: hourAgo, nextTryAt: later },
        { ...mail, state: 'waiting', nextTryAt: later },
        { ...mail, state: 'failed' },
        { ...mail, state: 'sent' },
      ])
      const now = await metrics()
      expect(now.get('wrk_mails{state="waiting"}')).toBe(2)
      expect(now.get('wrk_mails{state="failed"}')).toBe(1)
      expect(now.get('wrk_mail_oldest_seconds')).toBeWithin(3_595, 3_700)
      expect(now.get('wrk_database_up')).toBe(1)
      for (const name of ['process_resident_memory_bytes', 'wrk_disk_free_bytes', 'process_cpu_seconds_total'])
        expect(now.get(name)).toBeGreaterThan(0)
      expect(now.get('wrk_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0)
      if (process.env.TEST_DATABASE_URL) expect(now.get('wrk_database_connections{state="idle"}')).toBeGreaterThan(0)
    })
  },
  { METRICS_TOKEN: TOKEN, DATA_DIR: import.meta.dir },
)

describe('a server that is told to stop', () => {
  test('is alive and not ready while proxies go elsewhere, and keeps no connection', async () => {
    const config = readConfig({ PORT: '0', DATA_DIR: '/dev/null/nowhere', DRAIN_SECONDS: '1' })
    const server = await serve(config, await openQuick(), 'none')
    const ask = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
    expect((await ask('/ready')).status).toBe(200)
    const stopping = server.stop()
    const [health, ready] = [await ask('/health'), await ask('/ready')]
    expect([health.status, health.headers.get('connection')]).toEqual([200, 'close'])
    expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ status: 'the server is being stopped' })])
    await stopping
    await expect(ask('/ready')).rejects.toThrow()
  })
})

import { timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { version } from '../../package.json'
import { lastGoodBackup } from '../archive/server/store'
import type { Services } from '../server/context'
import { notFound, unauthorized } from '../server/errors'
import { mailQueue } from '../server/mail/store'
import { cumulativeCounts } from '../server/requests'

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const BEARER = 'Bearer '

type Labels = Record<string, string | number>
type Value = [labels: Labels, value: number]
type Metric = { name: string; type: 'counter' | 'gauge'; help: string; values: Value[] }

/** In Prometheus' text format, for holders of METRICS_TOKEN. */
export function createMetrics(services: Services) {
  const { metricsToken } = services.config
  const delay = metricsToken === undefined ? undefined : monitorEventLoopDelay({ resolution: 20 })
  delay?.enable()
  return async (request: Request): Promise<Response> => {
    if (metricsToken === undefined || !delay) throw notFound()
    if (!isSame(request.headers.get('authorization') ?? '', BEARER + metricsToken)) throw unauthorized('METRICS_TOKEN is needed')
    const groups = [ofProcess(delay), ofSockets(services), ofDisk(services), ofDatabase(services), await ofStored(services)]
    const text = [...trafficOf(services), ...groups.flat().flatMap(textOf), '']
    return new Response(text.join('\n'), { headers: { 'Content-Type': TYPE } })
  }
}

/** In constant time. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}

const textOf = ({ name, type, help, values }: Metric): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...values.map(([labels, value]) => sample(name, labels, value)),
]

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, label]) => `${key}=${JSON.stringify(String(label))}`)
  return `${name}${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${value}`
}

const gauge = (name: string, help: string, ...values: (Value | number)[]): Metric => ({
  name,
  type: 'gauge',
  help,
  values: values.map((value) => (typeof value === 'number' ? [{}, value] : value)),
})

function trafficOf({ traffic }: Services): string[] {
  const all = traffic.all()
  const answers = all.flatMap(({ method, route, statuses }) =>
    [...statuses].map(([status, count]): Value => [{ method, route, status }, count]),
  )
  const times = all.flatMap((one) => {
    const { method, route, count, sumMs } = one
    return [
      ...cumulativeCounts(one).map(([le, within]) => sample('wrk_request_seconds_bucket', { method, route, le }, within)),
      sample('wrk_request_seconds_sum', { method, route }, Math.round(sumMs * 10) / 10_000),
      sample('wrk_request_seconds_count', { method, route }, count),
    ]
  })
  return [
    ...textOf({ name: 'wrk_requests_total', type: 'counter', help: 'Responses since the process started.', values: answers }),
    '# HELP wrk_request_seconds Response time.',
    '# TYPE wrk_request_seconds histogram',
    ...times,
  ]
}

const NANOSECONDS = 1e9

/** The delays since the last scrape. */
function ofProcess(delay: ReturnType<typeof monitorEventLoopDelay>): Metric[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const quantile = (of: number, nanoseconds: number): Value => [{ quantile: of }, Math.max(0, nanoseconds) / NANOSECONDS]
  const delays = [quantile(0.5, delay.percentile(50)), quantile(0.99, delay.percentile(99)), quantile(1, delay.max)]
  delay.reset()
  return [
    gauge('wrk_info', 'The running version.', [{ version }, 1]),
    gauge('process_start_time_seconds', 'When the process started.', Math.round(Date.now() / 1_000 - process.uptime())),
    { name: 'process_cpu_seconds_total', type: 'counter', help: 'CPU time used.', values: [[{}, (user + system) / 1e6]] },
    gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
    gauge('wrk_heap_bytes', 'Memory in use by JavaScript.', heapUsed),
    gauge('wrk_event_loop_delay_seconds', 'How late the event loop was since the last scrape.', ...delays),
  ]
}

function ofSockets({ hub }: Services): Metric[] {
  const sockets = hub.all()
  const boards = new Set(sockets.flatMap(({ data }) => [...data.joined.keys()]))
  const users = new Set(sockets.map(({ data }) => data.session.user.id))
  return [
    gauge('wrk_sockets', 'Open sockets.', sockets.length),
    gauge('wrk_users_online', 'People with at least one open socket.', users.size),
    gauge('wrk_boards_open', 'Boards that someone has open.', boards.size),
  ]
}

function ofDisk({ diskGuard }: Services): Metric[] {
  const { free, size } = diskGuard.disk()
  if (size === 0) return []
  return [
    gauge('wrk_disk_free_bytes', 'Free space on the disk of DATA_DIR.', free),
    gauge('wrk_disk_size_bytes', 'Size of the disk of DATA_DIR.', size),
  ]
}

function ofDatabase({ pool }: Services): Metric[] {
  const use = pool()
  if (!use) return []
  return [
    gauge('wrk_database_connections', 'Connections of the pool.', [{ state: 'used' }, use.used], [{ state: 'idle' }, use.idle]),
    gauge('wrk_database_waiting', 'Queries and changes waiting for a connection.', use.waiting),
  ]
}

/** Left out while the database is away: the rest is still useful. */
async function ofStored({ db }: Services): Promise<Metric[]> {
  const stored = await Promise.all([mailQueue(db), lastGoodBackup(db)]).catch(() => undefined)
  const up = gauge('wrk_database_up', 'Whether the database answers.', stored ? 1 : 0)
  if (!stored) return [up]
  const [{ waiting, failed, oldestSeconds }, backup] = stored
  return [
    up,
    gauge(
      'wrk_mails',
      'Emails waiting to be sent, and emails that failed.',
      [{ state: 'waiting' }, waiting],
      [{ state: 'failed' }, failed],
    ),
    gauge('wrk_mail_oldest_seconds', 'How long the oldest email has waited.', oldestSeconds),
    ...(backup
      ? [gauge('wrk_backup_age_seconds', 'Age of the last good backup, in seconds.', (Date.now() - backup.getTime()) / 1_000)]
      : []),
  ]
}

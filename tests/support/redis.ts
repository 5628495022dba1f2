import { createServer } from 'node:net'
import { RedisClient } from 'bun'
import { until } from './until'

const executable = Bun.which('redis-server')
if (!executable && process.env.CI) throw new Error('under CI the tests with Redis must run: install redis-server')
if (!executable) console.warn('SKIPPED the loss of Redis: no redis-server was found')

/** Whether there is a redis-server to start; under CI there must be. */
export const canStartRedis = executable !== null

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('there is no port')
  return address.port
}

/** A Redis of one's own, which can be killed and started again. */
export async function ownRedis() {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const start = () =>
    Bun.spawn([executable ?? '', '--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdout: 'ignore',
    })
  let running = start()
  await answers(url)
  return {
    url,
    async kill() {
      running.kill('SIGKILL')
      await running.exited
    },
    async empty() {
      const client = new RedisClient(url)
      await client.send('FLUSHALL', [])
      client.close()
    },
    /** It takes what is sent, and says nothing. */
    hang: () => running.kill('SIGSTOP'),
    goOn: () => running.kill('SIGCONT'),
    async startAgain() {
      running = start()
      await answers(url)
    },
  }
}

const answers = (url: string) =>
  until('redis-server answers', async () => {
    const client = new RedisClient(url, { autoReconnect: false })
    const isThere = await client.connect().then(
      () => true,
      () => false,
    )
    client.close()
    return isThere
  })

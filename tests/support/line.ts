import { createServer, type Socket } from 'node:net'

/**
 * `silent` swallows everything, as a frozen server does; `forgotten` only what comes over connections that are open by then, and
 * `stale` cuts those as soon as something is asked over them.
 */
export type Failure = 'cut' | 'silent' | 'forgotten' | 'stale' | Refusing

/** Whoever connects is told this code of Postgres', and is not let in. */
type Refusing = { code: '53300' | '57P03' }

/** A line to a database that can be cut, or fall silent without a word. */
export async function lineTo(databaseUrl: string) {
  const to = new URL(databaseUrl)
  const ends = new Set<Socket>()
  const forgotten = new Set<Socket>()
  const stale = new Set<Socket>()
  let state: 'well' | 'cut' | 'silent' | Refusing = 'well'
  const passes = (near: Socket) => state === 'well' && !forgotten.has(near)
  const server = createServer(async (near) => {
    if (state === 'cut') return near.destroy()
    if (typeof state === 'object') return refuse(near, state)
    ends.add(near)
    near.on('error', () => {})
    const far = await Bun.connect({
      hostname: to.hostname,
      port: Number(to.port || 5432),
      socket: {
        data: (_, data) => void (passes(near) && near.write(data)),
        close: () => void near.destroy(),
      },
    })
    near.on('data', (data) => (stale.has(near) ? near.destroy() : passes(near) && far.write(data)))
    // A router that forgot a connection does not tell the server of its end either.
    near.on('close', () => forgotten.has(near) || far.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const cut = () => {
    for (const end of ends) end.destroy()
    ends.clear()
  }
  return {
    url: url.href,
    fail(how: Failure) {
      if (how === 'forgotten' || how === 'stale') for (const end of ends) (how === 'stale' ? stale : forgotten).add(end)
      else state = how
      if (how === 'cut' || typeof how === 'object') cut()
    },
    mend() {
      if (state === 'silent') cut()
      state = 'well'
    },
    close() {
      cut()
      server.close()
    },
  }
}

function refuse(near: Socket, { code }: Refusing) {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mno\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  near.on('error', () => {})
  near.once('data', () => near.end(Buffer.concat([head, fields])))
}

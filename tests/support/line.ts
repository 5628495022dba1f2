import { createServer, type Socket } from 'node:net'

/**
 * `silent` swallows everything, as a frozen server does; `forgotten` only what comes over connections that are open by then, and
 * `stale` cuts those as soon as something is asked over them; `deaf` swallows what comes over those that listen.
 */
export type Failure = 'cut' | 'silent' | 'forgotten' | 'stale' | 'deaf' | Refusing

/** Whoever connects is told this code of Postgres', and is not let in. */
type Refusing = { code: '53300' | '57P03' }

const LISTENS = 'wrk listens'
const COMMITTED = 'COMMIT\0'

/** A line to a database, or another server, that can be cut, or fall silent without a word. */
export async function lineTo(serverUrl: string) {
  let to = new URL(serverUrl)
  const ends = new Set<Socket>()
  const forgotten = new Set<Socket>()
  const stale = new Set<Socket>()
  const listening = new Set<Socket>()
  const committing = new Set<Socket>()
  let state: 'well' | 'cut' | 'silent' | 'deaf' | Refusing = 'well'
  let watched: { statement: string; act(): void } | undefined
  const passes = (near: Socket) => !forgotten.has(near) && (state === 'well' || (state === 'deaf' && !listening.has(near)))

  /** Whether it is the answer that is not to come. */
  function isLast(near: Socket, data: Buffer) {
    if (!watched || !committing.has(near) || !data.includes(COMMITTED)) return false
    watched.act()
    watched = undefined
    return true
  }
  const server = createServer(async (near) => {
    if (state === 'cut') return near.destroy()
    if (typeof state === 'object') return refuse(near, state)
    ends.add(near)
    near.on('error', () => {})
    const far = await Bun.connect({
      hostname: to.hostname,
      port: Number(to.port || 5432),
      socket: {
        data: (_, data) => void (!isLast(near, data) && passes(near) && near.write(data)),
        close: () => void near.destroy(),
      },
    }).catch(() => null)
    if (!far) return near.destroy()
    near.on('data', (data) => {
      if (stale.has(near)) return near.destroy()
      if (data.includes(LISTENS)) listening.add(near)
      if (watched && data.includes(watched.statement)) committing.add(near)
      if (passes(near)) far.write(data)
    })
    // A router that forgot a connection does not tell the server of its end either.
    near.on('close', () => forgotten.has(near) || far.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const cut = () => {
    for (const end of ends) end.destroy()
    ends.clear()
  }
  return {
    url: url.href,
    /** Comes out elsewhere from now on. */
    lead(elsewhere: string) {
      to = new URL(elsewhere)
      cut()
    },
    fail(how: Failure) {
      if (how === 'forgotten' || how === 'stale') for (const end of ends) (how === 'stale' ? stale : forgotten).add(end)
      else state = how
      if (how === 'cut' || typeof how === 'object') cut()
    },
    /** Acts once what holds this statement is stored, and before whoever made it knows. */
    atCommit(statement: string, act: () => void) {
      watched = { statement, act }
    },
    mend() {
      if (state === 'silent' || state === 'deaf') cut()
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

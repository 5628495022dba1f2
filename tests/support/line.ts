import { createServer, type Socket } from 'node:net'

/** `silent` swallows everything, as a frozen server does; `forgotten` only what comes over connections that are open by then. */
export type Failure = 'cut' | 'silent' | 'forgotten'

/** A line to a database, or another server, that can be cut, or fall silent without a word. */
export async function lineTo(serverUrl: string) {
  let to = new URL(serverUrl)
  const ends = new Set<Socket>()
  const forgotten = new Set<Socket>()
  let state: 'well' | 'cut' | 'silent' = 'well'
  const passes = (near: Socket) => state === 'well' && !forgotten.has(near)
  const server = createServer(async (near) => {
    if (state === 'cut') return near.destroy()
    ends.add(near)
    near.on('error', () => {})
    const far = await Bun.connect({
      hostname: to.hostname,
      port: Number(to.port || 5432),
      socket: {
        data: (_, data) => void (passes(near) && near.write(data)),
        close: () => void near.destroy(),
      },
    }).catch(() => null)
    if (!far) return near.destroy()
    near.on('data', (data) => passes(near) && far.write(data))
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
      if (how === 'forgotten') for (const end of ends) forgotten.add(end)
      else state = how
      if (how === 'cut') cut()
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

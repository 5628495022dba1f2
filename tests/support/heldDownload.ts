import { connect } from 'node:net'

const END = '\r\n0\r\n\r\n'

/**
 * A download of which only the beginning is read, until the rest is asked for: `fetch` reads on by itself. What is on the way then
 * is in buffers of some megabytes, so it is to be larger.
 */
export async function heldDownload(origin: string, path: string, { cookie }: { cookie(): string }) {
  const { host, hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const [begun, closed] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  let last = ''
  socket.once('data', (data) => {
    socket.pause()
    begun.resolve(String(data).slice(0, 'HTTP/1.1 200'.length))
  })
  socket.on('data', (data) => {
    last = (last + data.toString('latin1')).slice(-END.length)
  })
  for (const event of ['end', 'error', 'close'])
    socket.on(event, () => {
      begun.reject(new Error(`${path} was not answered: ${event}`))
      closed.resolve()
    })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie()}\r\nConnection: close\r\n\r\n`)
  if ((await begun.promise) !== 'HTTP/1.1 200') throw new Error(`${path} was refused: ${await begun.promise}`)
  return {
    async rest(): Promise<'whole' | 'failed'> {
      socket.resume()
      await closed.promise
      return last === END ? 'whole' : 'failed'
    },
  }
}

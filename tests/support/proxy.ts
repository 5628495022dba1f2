type Data = { url: string; headers: Record<string, string>; far?: WebSocket; waiting: string[] }

/** What stands in front of servers, as a proxy does: each request goes to what `next` names then. */
export function proxy(next: (tried: string[]) => string | undefined, port = 0) {
  let passesSockets = true

  async function pass(request: Request, body: ArrayBuffer | undefined, tried: string[] = []): Promise<Response> {
    const upstream = next(tried)
    if (!upstream) return new Response('no server', { status: 502 })
    const { pathname, search } = new URL(request.url)
    try {
      return await fetch(upstream + pathname + search, {
        method: request.method,
        headers: request.headers,
        ...(body && { body }),
        redirect: 'manual',
        decompress: false,
      })
    } catch (error) {
      // Nothing was sent where nobody listened.
      if (codeOf(error) === 'ConnectionRefused') return pass(request, body, [...tried, upstream])
      return new Response('cut off', { status: 502 })
    }
  }

  const server = Bun.serve<Data>({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request, own) {
      if (request.headers.get('upgrade') === 'websocket') {
        const url = next([])
        const headers = { cookie: request.headers.get('cookie') ?? '', origin: request.headers.get('origin') ?? '' }
        const data: Data = { url: `${url?.replace('http', 'ws')}/ws`, headers, waiting: [] }
        if (passesSockets && url && own.upgrade(request, { data })) return
        return new Response('no sockets here', { status: 400 })
      }
      return pass(request, request.body ? await request.arrayBuffer() : undefined)
    },
    websocket: {
      open(near) {
        const { url, headers, waiting } = near.data
        // Bun takes headers here; the browser's types, which the page needs, know only protocols.
        const far = new WebSocket(url, { headers } as unknown as string[])
        near.data.far = far
        far.onopen = () => {
          for (const text of waiting.splice(0)) far.send(text)
        }
        far.onmessage = ({ data }) => near.send(data)
        far.onclose = ({ code, reason }) => near.close(code === 1006 ? 1011 : code, reason)
      },
      message({ data: { far, waiting } }, text) {
        if (far?.readyState === WebSocket.OPEN) far.send(text)
        else waiting.push(String(text))
      },
      close: ({ data }) => data.far?.close(),
    },
  })
  return {
    origin: `http://127.0.0.1:${server.port}`,
    /** Whether upgrades are passed on, as some proxies do not. */
    letSockets(pass: boolean) {
      passesSockets = pass
    },
    stop: () => server.stop(true),
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

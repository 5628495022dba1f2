export type Answer = { status: number; headers: Headers; bytes: Uint8Array; text: string; body: unknown }
export type Browser = ReturnType<typeof browser>

let households = 0
/** A network address that nobody else has; servers believe it under TRUST_PROXY, as behind a proxy. */
export function ownAddress(): string {
  households += 1
  return `10.${households >> 16}.${(households >> 8) & 255}.${households & 255}`
}

/** What keeps cookies between calls to one site, as a browser does, and is at home at an address of its own. */
export function browser(origin: string, ...setCookies: string[]) {
  const home = { 'x-forwarded-for': ownAddress() }
  const jar = new Map<string, string>()
  const keep = (setCookie: string) => {
    const [name = '', value = ''] = (setCookie.split(';')[0] ?? '').split('=')
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
  setCookies.forEach(keep)
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

  return {
    cookie,
    /** Sends `body` as JSON, or as it is where it is text, bytes or a form. */
    async http(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
      const response = await fetch(origin + path, {
        method,
        redirect: 'manual',
        body: body === undefined || isReady(body) ? body : JSON.stringify(body),
        headers: {
          ...home,
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          cookie: cookie(),
          ...headers,
        },
      })
      response.headers.getSetCookie().forEach(keep)
      const bytes = await response.bytes()
      const text = new TextDecoder().decode(bytes)
      return { status: response.status, headers: response.headers, bytes, text, body: parsed(text) }
    },
  }
}

const isReady = (body: unknown): body is string | Uint8Array<ArrayBuffer> | FormData =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

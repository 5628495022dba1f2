export type Answer = { status: number; headers: Headers; text: string; body: unknown }
export type Browser = ReturnType<typeof browser>

/** What keeps cookies between calls to one site, as a browser does. */
export function browser(origin: string, ...setCookies: string[]) {
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
    /** Sends `body` as JSON, or as it is where it is text. */
    async http(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
      const response = await fetch(origin + path, {
        method,
        redirect: 'manual',
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), cookie: cookie(), ...headers },
      })
      response.headers.getSetCookie().forEach(keep)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: parsed(text) }
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

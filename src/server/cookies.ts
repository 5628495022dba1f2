/** Undecoded, so that no percent sign can fail. */
export function cookieIn(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

const HOST_ONLY = '__Host-'

/** With this prefix, browsers accept the cookie only from this host over https. */
export const cookieName = (name: string, isHttps: boolean) => (isHttps ? HOST_ONLY + name : name)

/** Under either name; not for anything that proves identity. */
export const plainCookieIn = (request: Request, name: string): string | undefined =>
  cookieIn(request, HOST_ONLY + name) ?? cookieIn(request, name)

/** A Set-Cookie value, not readable by scripts. Without `maxAge` (in seconds) it ends with the browser. */
export const ownCookie = (name: string, value: string, isHttps: boolean, maxAge?: number) =>
  new Bun.Cookie(cookieName(name, isHttps), value, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isHttps,
    ...(maxAge !== undefined && { maxAge }),
  }).serialize()

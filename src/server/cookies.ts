/** As it was sent: nothing is decoded, so no percent sign in any cookie can fail. */
export function cookieIn(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

const HOST_ONLY = '__Host-'

/** Under https, browsers let nobody but this very host set a cookie of such a name. */
export const cookieName = (name: string, isHttps: boolean) => (isHttps ? HOST_ONLY + name : name)

/** Under either name, for what proves nothing. */
export const plainCookieIn = (request: Request, name: string): string | undefined =>
  cookieIn(request, HOST_ONLY + name) ?? cookieIn(request, name)

/** Returns the Set-Cookie value of a cookie that scripts cannot read; without `maxAge`, in seconds, it ends with the browser. */
export const ownCookie = (name: string, value: string, isHttps: boolean, maxAge?: number) =>
  new Bun.Cookie(cookieName(name, isHttps), value, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isHttps,
    ...(maxAge !== undefined && { maxAge }),
  }).serialize()

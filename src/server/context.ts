import type { Context, Parts } from './trpc'

/** Who calls, by the session cookie; a session that was extended is told to the browser. */
export async function contextOf(parts: Parts, request: Request, headers = new Headers()): Promise<Context> {
  const found = await parts.sessions.find(request)
  if (found?.renewed) headers.append('Set-Cookie', found.renewed)
  const userAgent = request.headers.get('user-agent') ?? ''
  const takesLong = () => parts.takesLong(request)
  return { parts, session: found?.session ?? null, address: parts.addressOf(request), userAgent, headers, takesLong }
}

import { plainCookieIn } from '../server/cookies'

/** In a cookie, so that the first paint has the chosen theme. */
export function themeOf(request: Request) {
  const theme = plainCookieIn(request, 'theme')
  return theme === 'light' || theme === 'dark' ? theme : ''
}

const ZONE = /^[\w+%-]{1,99}$/

/** In a cookie too: what a day is, depends on where one is. */
export function zoneOf(request: Request): string | undefined {
  const zone = plainCookieIn(request, 'zone')
  try {
    return zone && ZONE.test(zone) ? decodeURIComponent(zone) : undefined
  } catch {
    return undefined
  }
}

import { SETUP } from '../basics'

/** The token of the setup link, on the page to which that leads. Nobody is there where the HTML is made. */
export function setupToken(): string | undefined {
  if (typeof window === 'undefined' || window.location.pathname !== SETUP) return undefined
  return new URLSearchParams(window.location.search).get('token') ?? undefined
}

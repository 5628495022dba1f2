import { version } from '../../package.json'
import { markOf } from '../db/installation'
import type { Services } from '../server/context'

const TIMEOUT_MS = 2_000

/** For machines; each answer names the installation, so that callers know which one answers at an address. */
export function healthRoutes(services: Services) {
  let mark = ''

  async function whyNotAnswering(): Promise<string | undefined> {
    try {
      await services.ping(TIMEOUT_MS)
    } catch {
      return 'the database does not answer'
    }
    mark ||= await markOf(services.db).catch(() => '')
    return undefined
  }
  const whyFull = () => (services.diskGuard.mayChange() ? undefined : 'the disk is nearly full: changes are refused')

  function answer(reason: string | undefined, well: string): Response {
    const headers = new Headers(mark ? { 'X-Installation': mark } : {})
    return Response.json({ status: reason ?? well, version }, { status: reason === undefined ? 200 : 503, headers })
  }

  return {
    health: async () => answer((await whyNotAnswering()) ?? whyFull(), 'ok'),
    /** Whether to route new requests here. Ignores the disk, which processes share: reading and deleting still work. */
    ready: async () => answer(services.isDraining() ? 'the server is being stopped' : await whyNotAnswering(), 'ready'),
  }
}

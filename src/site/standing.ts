import { version } from '../../package.json'
import { ping } from '../db/client'
import type { Services } from '../server/context'

const TIMEOUT_MS = 2_000

const ill = (status: string) => Response.json({ status, version }, { status: 503 })

/** Whether the process is alive, and can store. */
export async function health(services: Services): Promise<Response> {
  const reason = await whyIll(services)
  return reason === undefined ? Response.json({ status: 'ok', version }) : ill(reason)
}

/** Whether new requests should come here. */
export async function ready(services: Services): Promise<Response> {
  const reason = services.isDraining() ? 'the server is being stopped' : await whyIll(services)
  return reason === undefined ? Response.json({ status: 'ready', version }) : ill(reason)
}

async function whyIll({ db, room }: Services): Promise<string | undefined> {
  try {
    await ping(db, TIMEOUT_MS)
  } catch {
    return 'the database does not answer'
  }
  return room.mayChange() ? undefined : 'the disk is nearly full: changes are refused'
}

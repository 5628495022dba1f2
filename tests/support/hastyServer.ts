import { readConfig } from '../../src/config'
import { openDatabase } from '../../src/db/openDatabase'
import { serve } from '../../src/site/serve'

/** Started as a process of its own: a server that says ten times a second who is there, and soon forgets the others. */
export const HASTE = { told: 20, repeated: 100, forgotten: 1_000 }

if (import.meta.main) {
  const config = readConfig(process.env)
  const { origin } = await serve(config, await openDatabase(config), 'none', { presenceTimes: HASTE })
  console.log(`wrk is at ${origin}`)
}

import { readConfig } from '../../src/config'
import { openDatabase } from '../../src/db/openDatabase'
import { serve } from '../../src/site/serve'
import { scratchDatabase } from './databases'
import { lineTo } from './line'
import { peopleOf } from './people'

/** Two servers of one site on one Postgres database; the other one's line to it can fail. */
export async function twoServers() {
  const scratch = await scratchDatabase()
  const line = await lineTo(scratch.url)
  const start = async (url: string) => {
    const config = readConfig({ PORT: '0', DATA_DIR: '/dev/null/nowhere', DATABASE_URL: url })
    const database = await openDatabase(config)
    const server = await serve(config, database, 'none')
    return { ...server, db: database.db, origin: `http://127.0.0.1:${server.port}` }
  }
  const [here, there] = await Promise.all([start(scratch.url), start(line.url)])
  return {
    here,
    there,
    line,
    url: scratch.url,
    people: () => peopleOf(here),
    async stop() {
      line.mend()
      await Promise.all([here.stop(), there.stop()])
      line.close()
      await scratch.drop()
    },
  }
}

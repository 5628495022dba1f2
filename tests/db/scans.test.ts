import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { accountBytes } from '../../src/server/accountQuota/store'
import { EMPTY_TABLES, fillCrowd, ONLY_CROWD } from '../support/crowd'
import { onEmbedded, type Server } from '../support/databases'
import { everyCall } from '../support/everyCall'
import { plansOf, scansIn, unheard } from '../support/plans'
import { dataFolder } from '../support/process'
import { type Given, newWorld } from '../support/world'

/** Enough for Postgres to prefer an index that holds less. */
const CROWD = { users: 400, boards: 200, tasks: 2_000 }

/** Once an hour, or with an account, and of tables that are emptied by days: an index would cost every insert. */
const MAY_READ_ALL = [
  'mails: delete from "mails" where ("mails"."state" <>',
  'magic_links: delete from "magic_links" where "magic_links"."expires_at" <',
  'board_invitations: delete from "board_invitations" where',
  'notifications: delete from "notifications" where "notifications"."created_at" <',
  'imports: delete from "imports" where',
  // In the order of the sessions that refer to it.
  'operator_acts (all of operator_acts_pkey): delete from "operator_acts" where',
  // A hundred rows at most.
  'backups',
]

const folder = await dataFolder()
afterAll(folder.remove)

onEmbedded(
  'tables that grow',
  (server) => {
    const run = (query: string) => server.db.execute(sql.raw(query))

    beforeAll(async () => {
      await server.clear()
      // What the tests before left dead counts in the planner's costs.
      await run('vacuum full')
      await fillCrowd(run, CROWD)
    })
    afterAll(async () => {
      await server.clear()
      await run('vacuum analyze')
    })

    test('have all been filled', async () => {
      expect(await run(EMPTY_TABLES)).toMatchObject({ rows: [] })
    })

    test('are read by their indexes alone, whatever is called, and by what runs at intervals', async () => {
      const plans = await plansOf(server.db, async () => {
        await callAll(server)
        await runJobs(server)
      })
      expect(plans.length).toBeGreaterThan(everyCall().length)
      const scans = await scansIn(server.db, plans)
      expect(scans.filter((scan) => !MAY_READ_ALL.some((known) => scan.startsWith(known)))).toEqual([])
    })

    test('are searched by letters without a list of rows that wait to be sorted in, which each search would read', async () => {
      const indexes = `select c.relname as name, coalesce(c.reloptions, '{}') && '{fastupdate=false}' as "isSorted"
        from pg_class c join pg_am on pg_am.oid = c.relam where amname = 'gin' and relname like '%letters'`
      const { rows } = (await run(indexes)) as unknown as { rows: { name: string; isSorted: boolean }[] }
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.filter(({ isSorted }) => !isSorted)).toEqual([])
    })

    test.each([
      ['a column without an index', `select id from users where description = 'x'`],
      [
        'one of two ways without an index',
        `select id from users where username = 'x' or id in (select id from users where id = 1)`,
      ],
      ['a count of everything', 'select count(*) from tasks'],
      ['the second column of an index', 'select id from task_assignees where user_id = 1'],
    ])('are found to be read whole by %s', async (_, query) => {
      const plans = await plansOf(server.db, async () => void (await run(query)))
      expect(await scansIn(server.db, plans)).toEqual([expect.stringContaining(query)])
    })
  },
  { DATA_DIR: folder.path },
)

async function callAll(server: Server) {
  let world: Given | undefined
  for (const call of everyCall()) {
    world ??= await unheard(server.db, () => worldBeside(server))
    const answer = await (await call.ready(world))()
    expect([call.name, answer.status]).toEqual([call.name, call.status])
    if (call.spends) world = undefined
  }
}

/** And what a socket asks for, and the quota of an account. */
async function runJobs(server: Server) {
  const { ada, board } = await unheard(server.db, () => worldBeside(server))
  const socket = await ada.socket(board)
  await server.reconcile()
  await server.gather()
  await server.clean()
  await accountBytes(server.db, ada.id)
  socket.close()
}

const worldBeside = ({ db, people }: Server) =>
  newWorld({
    db,
    people,
    async clear() {
      for (const query of ONLY_CROWD) await db.execute(sql.raw(query))
    },
  })

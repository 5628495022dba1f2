import { random } from '../support/random'
import { createCalls } from './calls'
import type { Client } from './client'
import { asked, type Lot } from './deeds/deed'
import { createEpisodes } from './episode'
import { createEquality } from './equality'
import { type Check, createHistory } from './history'
import { createLedger } from './ledger'
import { createMeasures } from './measures'
import { openPages } from './pages'
import { connectPeople, settlePeople } from './people'
import { startSite, usesRedis } from './site'
import { createTruth } from './truth'
import { createWatch } from './watch'
import { createWork } from './work'

export type Options = {
  seconds: number
  /** Kinds of faults; none means all. */
  only: string[]
  without: readonly Check[]
  pages: number
  redis: boolean
  /** Whether somebody works in pages without a connection. */
  offline: boolean
  say(line: string): void
}

/** People at work on a site that is struck by faults, one episode after the other; answers what was found. */
export async function soak(options: Options) {
  const history = createHistory(options.without, options.say)
  const measures = createMeasures()
  const site = await startSite(history, { redis: options.redis && usesRedis(), page: options.pages > 0 })
  const { people, readers, boards } = await settlePeople(site.postgres.url)
  const watch = createWatch(site, history, measures)
  const truth = createTruth(site, history)
  const ledger = createLedger(history)
  const calls = createCalls(history, measures, site.servers)
  const [first] = people
  if (!first) throw new Error('there are people')
  const keys = await calls.tryKeys(
    first,
    asked('tasks.create', 'POST', '/api/boards/:boardId/tasks', { boardId: boards[0], title: 'Key' }),
  )
  options.say(`idempotency keys are ${keys ? 'honoured: what got no answer is sent again' : 'ignored: nothing is sent twice'}`)
  connectPeople(people, site, history, measures, watch)

  const lotOf = (who: string) => random('a soak', who)
  const work = createWork({ site, history, calls, ledger, watch, people, lotOf })
  const play = createEpisodes({ site, history, measures, work, lot: lotOf('faults'), only: options.only })
  const equality = createEquality(site, watch, truth, history, measures)
  const cookieOf = (board: number) => people[boards.indexOf(board)]?.cookie() ?? ''
  const lot = lotOf('what is opened')

  async function settle(healedAt: number, noticedBy = 0) {
    await work.quiet()
    const since = Math.max(healedAt, history.now())
    await equality.wait(since)
    const held = await equality.compare(boards, cookieOf)
    await pages.check((board) => held.get(board), Math.max(since, noticedBy))
    await equality.compareOpened(cookieOf)
    ledger.check(await truth.facts())
    await truth.findDoubles()
    await truth.findWrong()
  }

  const pages = await openPages({ site, readers, boards, history, measures, count: options.pages })
  try {
    await equality.begin()
    await settle(history.now())
    const end = history.now() + options.seconds * 1_000
    while (history.now() < end) {
      for (const client of watch.clients) openTask(client, lot)
      if (options.offline) await pages.goOffline(truth)
      const { struckAt, healedAt, kinds } = await play()
      await settle(healedAt, pages.noticedBy(struckAt, kinds))
      const found = history.violations.length
      options.say(
        `${(history.now() / 1_000).toFixed(0)} s: ${kinds.join(', ')}; ${measures.writes.done} writes, ${found} violations`,
      )
    }
    await work.stop()
  } finally {
    await pages.close()
    await watch.stop()
    for (const client of watch.clients) client.close()
    await site.stop()
  }
  return { measures, history }
}

/** As a page shows comments and time of one task at a time; some look at none. */
function openTask({ boards }: Client, lot: Lot) {
  const shown = [...boards.values()].filter(({ snapshot }) => (snapshot?.tasks.length ?? 0) > 0)
  if (shown.length === 0 || lot.below(3) > 0) return
  const board = lot.oneOf(shown)
  const { id } = lot.oneOf(board.snapshot?.tasks ?? [])
  void board.open(id)
}

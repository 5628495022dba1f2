import { type ReservedSQL, SQL } from 'bun'
import { DatabaseUnavailable, isConnectionLost, sqlState } from './failures'
import { atOnce } from './prepared'

/** Long enough for whoever waits; the longest statement is the deletion of an account with all that goes with it. */
const TIME_LIMITS = { lock_timeout: '2s', statement_timeout: '60s', idle_in_transaction_session_timeout: '10s' }
const CONNECT_SECONDS = 4
const PROBE_MS = 2_000

type Queries = Pick<SQL, 'unsafe'>
type Query = ReturnType<Queries['unsafe']>
type Ask = (client: Queries) => PromiseLike<unknown>
type Answer = Promise<unknown> & { values(): Promise<unknown> }
export type Inner = { unsafe(text: string, given?: unknown[]): Answer }

export type Line = ReturnType<typeof openLine>

/** One connection, made when it is first used, and for how long the server has owed it an answer. */
export function openLine(url: string) {
  const name = `wrk ${crypto.randomUUID()}`
  const client = new SQL(url, {
    max: 1,
    connectionTimeout: CONNECT_SECONDS,
    connection: { ...TIME_LIMITS, application_name: name },
  })
  let owed = 0
  let since = 0

  /** Returns what to call when the answer is there; more than once does no harm. */
  function ask() {
    if (owed++ === 0) since = performance.now()
    let isAnswered = false
    return () => {
      if (isAnswered) return
      isAnswered = true
      owed -= 1
      since = performance.now()
    }
  }

  async function answerOf<T>(query: PromiseLike<T>): Promise<T> {
    const answered = ask()
    try {
      return await query
    } finally {
      answered()
    }
  }

  /**
   * A transaction that has begun once `begun` is fulfilled. What is asked before that is sent right behind the beginning,
   * sharing its round trip, and both are sent once more on a new connection where this one turns out to be lost.
   * Nobody need wait for a statement before the commit, which throws why the first one failed.
   */
  async function open() {
    let on: ReservedSQL = await answerOf(client.reserve())
    let isBegun = false
    let failure: unknown
    const sentEarly: (() => void)[] = []

    const beginning = () => answerOf(on`begin`.execute())
    const again = async (error: unknown) => {
      if (!isConnectionLost(error)) throw error
      on.release()
      on = await answerOf(client.reserve())
      const begun = beginning()
      for (const send of sentEarly) send()
      await begun
    }
    const begun = beginning()
      .catch(again)
      .then(() => {
        isBegun = true
      })

    function early(query: Ask) {
      let answer: Promise<unknown> | undefined
      const send = () => {
        answer = answerOf(query(on))
        answer.catch(() => {})
      }
      send()
      sentEarly.push(send)
      return begun.then(() => answer)
    }

    return {
      begun,
      unsafe: lazily(async (query) => {
        try {
          return await (isBegun ? answerOf(query(on)) : early(query))
        } catch (error) {
          failure ??= error
          throw error
        }
      }),
      async commit() {
        const { command } = await answerOf(on`commit`)
        if (command === 'ROLLBACK') throw failure
      },
      // What is still open must not become part of the next one.
      rollback: () => answerOf(on`rollback`).catch(() => client.close({ timeout: 0 })),
      release: () => on.release(),
    }
  }

  return {
    name,
    run: <T>(query: (client: Queries) => PromiseLike<T>) => answerOf(query(client)),
    async begin<T>(work: (inner: Inner) => Promise<T>): Promise<T> {
      const transaction = await open()
      try {
        const [, result] = await atOnce([transaction.begun, work(transaction)])
        await transaction.commit()
        return result
      } catch (error) {
        await transaction.rollback()
        throw error
      } finally {
        transaction.release()
      }
    },
    /** Milliseconds without the answer that is due. */
    quiet: () => (owed > 0 ? performance.now() - since : 0),
    excuse() {
      since = performance.now()
    },
    close: (seconds = 0) => client.close({ timeout: seconds }).catch(() => {}),
  }
}

/** What comes back can still be asked for as arrays, by `values`, before it runs, as Bun's own. */
export function lazily(run: (query: Ask) => Promise<unknown>): Inner['unsafe'] {
  return (text, given) => {
    let shape: (query: Query) => PromiseLike<unknown> = (query) => query
    const answer = Promise.resolve().then(() => run((client) => shape(client.unsafe(text, given))))
    const values = () => {
      shape = (query) => query.values()
      return answer
    }
    return Object.assign(answer, { values })
  }
}

/** The connections for which the server does something, by name; asked on a new one. Rejects where it does not answer. */
export async function linesAtWork(url: string, all: Line[]): Promise<Set<string>> {
  const client = new SQL(url, { max: 1 })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void client.close({ timeout: 0 }).catch(() => {})
  }, PROBE_MS)
  try {
    const busy: { name: string }[] = await client.unsafe(
      `select application_name as name from pg_stat_activity where application_name like 'wrk %' and state in ('active', 'disabled')`,
    )
    return new Set(busy.map(({ name }) => name))
  } catch (error) {
    if (isLate) throw new DatabaseUnavailable(`no answer within ${PROBE_MS} ms`)
    // Too many connections is an answer, though it does not say what the others do.
    if (isConnectionLost(error) && sqlState(error) !== '53300') throw error
    return new Set(all.map(({ name }) => name))
  } finally {
    clearTimeout(timer)
    void client.close({ timeout: 0 }).catch(() => {})
  }
}

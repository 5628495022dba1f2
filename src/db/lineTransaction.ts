import type { ReservedSQL, SQL } from 'bun'
import { isConnectionLost } from './failures'
import { type Ask, type Inner, lazily } from './lazily'
import { atOnce } from './statements'

/** A client of one connection. */
type On = { client: SQL; answerOf<T>(query: PromiseLike<T>): Promise<T>; close(): Promise<void> }

/** Rejects with why `work` did, or the first statement that failed; then nothing is stored. Where the connection is lost at the commit, it may be. */
export async function runTransaction<T>(on: On, work: (inner: Inner) => Promise<T>): Promise<T> {
  const transaction = await openTransaction(on)
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
}

/**
 * A transaction that has begun once `begun` is fulfilled. What is asked before that is sent right behind the beginning,
 * sharing its round trip, and both are sent once more on a new connection where this one turns out to be lost.
 */
async function openTransaction({ client, answerOf, close }: On) {
  let connection: ReservedSQL = await answerOf(client.reserve())
  let isBegun = false
  let isOver = false
  const sentEarly: (() => void)[] = []

  const beginning = () => answerOf(connection`begin`.execute())
  const again = async (error: unknown) => {
    if (!isConnectionLost(error)) throw error
    connection.release()
    connection = await answerOf(client.reserve())
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
      answer = answerOf(query(connection))
      answer.catch(() => {})
    }
    send()
    sentEarly.push(send)
    return begun.then(() => answer)
  }

  /** By a simple query: a prepared commit may be stored and yet left unanswered where the server ends its connections. */
  function end(how: 'commit' | 'rollback') {
    isOver = true
    return answerOf(connection.unsafe(how).simple())
  }

  return {
    begun,
    unsafe: lazily(async (query) => {
      if (isOver) throw new Error('the transaction is over')
      return isBegun ? answerOf(query(connection)) : early(query)
    }),
    savepoint() {
      throw new Error('a transaction within a transaction is not supported')
    },
    async commit() {
      const { command } = await end('commit')
      if (command !== 'COMMIT') throw new Error('a statement of the transaction had failed, so it was rolled back')
    },
    async rollback() {
      await end('rollback').catch((error) => {
        // What is still open must not become part of the next one.
        if (!isConnectionLost(error)) return close()
      })
    },
    release: () => connection.release(),
  }
}

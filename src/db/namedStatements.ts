import { setImmediate } from 'node:timers/promises'
import { type PGlite, parse, protocol, type QueryOptions, type Results } from '@electric-sql/pglite'

const { serialize } = protocol
const MOST = 500
const FEW_ROWS = 32
const SLICE_MS = 4
const NOTHING = new Uint8Array()

type Params = unknown[]
type Statement = { name: string; types: number[]; described: Awaited<ReturnType<PGlite['execProtocolStream']>> }

/** The same database, which parses each text once: PGlite does it for every query, and that takes most of its time. */
export function withNamedStatements(client: PGlite): PGlite & { nextAnswer(): Promise<void> } {
  let nextAnswer = Promise.withResolvers<void>()
  const kept = new Map<string, Statement>()
  let made = 0
  const send = (message: Uint8Array) => client.execProtocolStream(message, { syncToFs: false })

  async function prepare(text: string): Promise<Statement> {
    const name = `wrk ${++made}`
    await send(serialize.parse({ name, text }))
    const described = await send(serialize.describe({ type: 'S', name }))
    return { name, described, types: parse.parseDescribeStatementResults(described) }
  }

  /** The one used longest ago goes where there are too many. */
  async function keep(text: string, statement: Statement) {
    kept.delete(text)
    kept.set(text, statement)
    const [[oldest, { name }] = ['', statement]] = kept
    if (kept.size <= MOST) return
    kept.delete(oldest)
    await send(serialize.close({ type: 'S', name }))
  }

  /** In slices of so much time, as whole answers keep everything else waiting; `affectedRows` of one with rows is the last slice's. */
  async function execute(bind: Uint8Array) {
    const answer: Statement['described'] = []
    for (let rows = FEW_ROWS, before = bind; ; before = NOTHING) {
      const began = performance.now()
      answer.push(...(await send(Buffer.concat([before, serialize.execute({ rows })]))))
      nextAnswer.resolve()
      nextAnswer = Promise.withResolvers()
      if (answer.at(-1)?.name !== 'portalSuspended') return answer
      rows = performance.now() - began < SLICE_MS ? 2 * rows : FEW_ROWS
      await setImmediate()
    }
  }

  const toText = (value: unknown, type = 0, { serializers }: QueryOptions) => {
    if (value === null || value === undefined) return null
    return (serializers?.[type] ?? client.serializers[type] ?? String)(value)
  }

  // PGlite copies all of its own for each query that brings any, which takes longer than most queries.
  const parsersOf = ({ parsers }: QueryOptions) => Object.assign(Object.create(client.parsers), parsers)

  const ask = <Row>(text: string, params: Params = [], options: QueryOptions = {}) =>
    client.runExclusive(async () => {
      try {
        const statement = kept.get(text) ?? (await prepare(text))
        await keep(text, statement)
        const { name, types, described } = statement
        const values = params.map((value, n) => toText(value, types[n], options))
        const answer = await execute(serialize.bind({ statement: name, values }))
        return parse.parseResults([...described, ...answer], parsersOf(options), { rowMode: options.rowMode })[0] as Results<Row>
      } finally {
        await send(serialize.sync())
      }
    })

  const query: PGlite['query'] = async <Row>(...given: [text: string, params?: Params, options?: QueryOptions]) => {
    await client._checkReady()
    return client._runExclusiveTransaction(async () => {
      const answer = await ask<Row>(...given)
      await client.syncToFs()
      return answer
    })
  }

  const transaction: PGlite['transaction'] = (work) =>
    client.transaction((inner) => {
      const within: typeof inner.query = async (...given) => {
        if (inner.closed) throw new Error('Transaction is closed')
        return ask(...given)
      }
      return work(Object.assign(Object.create(inner), { query: within }))
    })

  return Object.assign(Object.create(client), { query, transaction, nextAnswer: () => nextAnswer.promise })
}

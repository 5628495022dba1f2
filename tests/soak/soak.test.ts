import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { canStartPostgres } from '../support/postgres'
import { PATIENCE } from '../support/until'
import { reportOf } from './report'
import { soak } from './soak'

setDefaultTimeout(PATIENCE)

const SECONDS = 8
const FAULTS = ['freeze', 'kill', 'kill-committing', 'postgres-immediate', 'clients-cut', 'clients-forgotten', 'database-cut']

describe.skipIf(!canStartPostgres)('three server processes on one Postgres, 20 people and some faults', () => {
  test('lose nothing, double nothing, and show everybody the same', async () => {
    const given = { seconds: SECONDS, only: FAULTS, without: [], pages: 0, redis: true, offline: false }
    const { history, measures } = await soak({ ...given, say: () => {} })
    expect(history.violations.length === 0 ? [] : reportOf({ history, measures })).toEqual([])
    expect(measures.writes.done).toBeGreaterThan(0)
    expect(measures.struck.size).toBeGreaterThan(0)
  })
})

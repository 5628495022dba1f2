import type { History } from './history'
import type { Measures } from './measures'

/** What a run was, in lines. */
export function reportOf({ measures, history }: { measures: Measures; history: History }): string[] {
  const { writes, clients, deliveries, equalities, struck } = measures
  const faults = [...struck].map(([kind, count]) => `${kind} ${count}`).toSorted()
  const found = [...history.counts].map(([check, count]) => `${check} ${count}`)
  return [
    `writes: ${writes.done} done, ${writes.refused} refused, ${writes.unknown} without an answer; ${writes.repeated} were sent again`,
    `faults: ${faults.join(', ') || 'none'}`,
    `all equal again after a fault: at worst ${worst(equalities)} ms, of ${equalities.length}`,
    `from an answer to the last socket: p50 ${at(deliveries, 0.5)} ms, p99 ${at(deliveries, 0.99)} ms, of ${deliveries.length}`,
    `gaps ${clients.gaps}, boards read again ${clients.rereads}`,
    `violations: ${found.join(', ') || 'none'}`,
    ...history.violations.flatMap(({ check, at, text, history }) => [
      `- ${check} at ${(at / 1_000).toFixed(2)} s: ${text}`,
      ...history.map((line) => `    ${line}`),
    ]),
  ]
}

const worst = (times: number[]) => Math.round(Math.max(0, ...times))

function at(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
}

import { join } from 'node:path'
import { atEnd } from './cleanUp'
import type { Answer, Asked } from './load'
import { MAY_LOSE } from './machine'

/** One value of ours, and what it is compared with, of the same round. */
export type Pair = { ours: number; beside: number; isDisturbed?: boolean }
export type Samples = Map<string, Pair[]>
/** What a round found on one side, by the names of the figures. */
export type Found = { values: Record<string, number>; lost: number }

const TRIES = 2

/** Many short rounds of two in turns, each time in the other order. */
export function inTurns(rounds: number, ours: () => Promise<Found>, beside: () => Promise<Found>): Promise<Samples> {
  return inRounds(rounds, async (nth) => {
    const first = await (nth % 2 ? beside() : ours())
    const second = await (nth % 2 ? ours() : beside())
    const [own, other] = nth % 2 ? [second, first] : [first, second]
    const pairs = Object.entries(own.values).map(([name, value]) => [
      name,
      { ours: value, beside: other.values[name] ?? Number.NaN },
    ])
    return { lost: Math.max(own.lost, other.lost), pairs: Object.fromEntries(pairs) }
  })
}

/** A round in which others took the machine is repeated, so many times in all. */
export async function inRounds(
  rounds: number,
  measure: (nth: number) => Promise<{ pairs: Record<string, Pair>; lost: number }>,
): Promise<Samples> {
  const samples: Samples = new Map()
  let [kept, nth] = [0, 0]
  for (; kept < rounds && nth < TRIES * rounds; nth++) {
    const { pairs, lost } = await measure(nth)
    const isDisturbed = lost > MAY_LOSE
    if (!isDisturbed) kept += 1
    for (const [name, pair] of Object.entries(pairs)) samples.set(name, [...(samples.get(name) ?? []), { ...pair, isDisturbed }])
  }
  if (nth > kept) console.error(`${nth - kept} of ${nth} rounds do not count: others took the machine`)
  return samples
}

export type Load = { ask(asked: Asked): Promise<Exclude<Answer, { failed: string }>> }

/** The process that loads the servers, one for all of them. */
export function startLoad(): Load {
  let answered: (answer: Answer) => void = () => {}
  const child = Bun.spawn(['bun', join(import.meta.dir, 'load.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (answer: Answer) => answered(answer),
    onExit: () => answered({ failed: 'the load ended' }),
  })
  atEnd(async () => {
    child.kill()
    await child.exited
  })
  return {
    async ask(asked) {
      const { promise, resolve } = Promise.withResolvers<Answer>()
      answered = resolve
      child.send(asked)
      const answer = await promise
      if ('failed' in answer) throw new Error(answer.failed)
      return answer
    },
  }
}

import { join } from 'node:path'
import { type Measured, summary, type Times } from './calls'
import { atEnd } from './cleanUp'
import type { Answer, Order } from './load'
import { MAY_LOSE, watchMachine } from './machine'
import { DATABASES } from './servers'

/** One value of ours, and what it is compared with, of the same round. */
export type Pair = { ours: number; beside: number; isDisturbed?: boolean }
export type Samples = Map<string, Pair[]>
/** What one turn of one side took: its calls in `elapsed` ms. */
export type Turn = Times

const TRIES = 2

/** Two in so many turns, each time in the other order, so that whatever the machine does meanwhile meets both. */
export async function inTurns(turns: number, ours: () => Promise<Turn>, beside: () => Promise<Turn>) {
  const [own, other]: [Turn[], Turn[]] = [[], []]
  for (let nth = 0; nth < turns; nth++) {
    if (nth % 2) other.push(await beside())
    own.push(await ours())
    if (nth % 2 === 0) other.push(await beside())
  }
  return { ours: together(own), beside: together(other) }
}

/** Measures once more where others than these processes, and what they start, took the machine. */
export async function undisturbed<T extends object>(own: number[], measure: () => Promise<T>) {
  for (let tries = 1; ; tries++) {
    const lost = watchMachine(own, DATABASES)
    const found = await measure()
    const isDisturbed = lost() > MAY_LOSE
    if (!isDisturbed || tries === TRIES) return { ...found, isDisturbed }
  }
}

const together = (turns: Turn[]): Measured =>
  summary(
    turns.flatMap(({ times }) => times),
    turns.reduce((sum, { elapsed }) => sum + elapsed, 0),
  )

/** Adds to each figure what this round found. */
export function collect(samples: Samples, found: Record<string, Pair>): void {
  for (const [name, pair] of Object.entries(found)) samples.set(name, [...(samples.get(name) ?? []), pair])
}

export type Load = { pid: number; ask(order: Order): Promise<Exclude<Answer, { failed: string }>> }

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
    pid: child.pid,
    async ask(order) {
      const { promise, resolve } = Promise.withResolvers<Answer>()
      answered = resolve
      child.send(order)
      const answer = await promise
      if ('failed' in answer) throw new Error(answer.failed)
      return answer
    },
  }
}

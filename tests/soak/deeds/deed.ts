import type { Snapshot } from '../../../src/tasks/schema'
import type { random } from '../../support/random'
import type { Ask } from '../calls'
import type { Fact } from '../ledger'
import type { Person } from '../person'

export type Lot = ReturnType<typeof random>

/** A change that somebody asks for, and what holds once it is answered; `made` and `answer` are undefined where it was not. */
export type Deed = { ask: Ask; facts(made: { id: number } | undefined, answer: unknown): Fact[] }
type Scene = { lot: Lot; person: Person; snapshot: Snapshot; people: Person[] }

/** Undefined where somebody may not do it, or has nothing to do it with. */
export type Make = (scene: Scene) => Deed | undefined

export const STATUSES = ['todo', 'inprogress', 'done'] as const
let tokens = 0

/** Found nowhere else, so that what is there twice was made twice. */
export function token(what: string): string {
  tokens += 1
  return `${what} ${tokens}`
}

/** `:name` in the path is taken from the input, as the server does. */
export function asked(procedure: string, method: Ask['rest'][0], path: string, input: Record<string, unknown>): Ask {
  const body = { ...input }
  const filled = path.replace(/:(\w+)/g, (_, name) => {
    delete body[name]
    return String(input[name])
  })
  return { rest: [method, filled, body], trpc: [procedure, input] }
}

export const taskKey = (id: number) => `task ${id}`
export const memberKey = (board: number, user: number) => `board ${board} member ${user}`

/** What somebody made last on a board, of what is still there. */
export const lastOn = <T extends { taskId: number }>({ tasks }: Snapshot, own: T[]): T | undefined =>
  own.findLast(({ taskId }) => tasks.some(({ id }) => id === taskId))

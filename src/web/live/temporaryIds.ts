/** Things created here have a negative id, unlike stored ones, until the server assigns theirs. */
const storedIds = new Map<number, number>()

export const MAX_ID = 2 ** 31 - 1

/** Random, not counted: several tabs store changes in one browser. */
export const temporaryId = (): number => -1 - Math.floor(Math.random() * MAX_ID)

export const isTemporary = (id: number): boolean => id < 0

export type Thing = 'task' | 'comment' | 'entry'

/** By kind, because a comment may have the same stored id as a task. */
const temporaryIds: Record<Thing, Map<number, number>> = { task: new Map(), comment: new Map(), entry: new Map() }

export function noteStoredId(id: number, stored: number, as?: Thing): void {
  storedIds.set(id, stored)
  if (as) temporaryIds[as].set(stored, id)
}

export const storedId = (id: number): number => storedIds.get(id) ?? id

/** For React keys: the same before and after the server assigns an id. */
export const stableKey = (as: Thing, id: number): number => temporaryIds[as].get(id) ?? id

const NAMES_THINGS = /^(id|before|after|\w+Ids?)$/

/** An input with the ids assigned meanwhile; incomplete if it still contains a temporary one. */
export function resolved<Input>(input: Input): { input: Input; isComplete: boolean } {
  let isComplete = true
  const resolve = (value: unknown, key: string): unknown => {
    if (typeof value === 'number') {
      if (!NAMES_THINGS.test(key) || !isTemporary(value)) return value
      if (!storedIds.has(value)) isComplete = false
      return storedId(value)
    }
    if (Array.isArray(value)) return value.map((one) => resolve(one, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, name)]))
  }
  // It keeps its shape.
  return { input: resolve(input, 'id') as Input, isComplete }
}

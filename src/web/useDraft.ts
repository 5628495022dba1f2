import { useSyncExternalStore } from 'react'

type Texts<Field extends string> = Partial<Record<Field, string>>

/** What was typed, and beside it what stood there when the typing began. */
type Draft = { typed: Texts<string>; bases: Texts<string> }

/** As in the browser's storage, which gives a new object at each look. */
const drafts = new Map<string, Draft>()
const watchers = new Set<() => void>()

const keyOf = (name: string) => `draft:${name}`

function stored(name: string): Draft {
  const none = { typed: {}, bases: {} }
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(keyOf(name)) ?? '{}') as Partial<Draft>) }
  } catch {
    return none
  }
}

function draftOf(name: string): Draft {
  const draft = drafts.get(name) ?? stored(name)
  drafts.set(name, draft)
  return draft
}

function keep(name: string, draft: Draft) {
  drafts.set(name, draft)
  if (Object.keys(draft.typed).length === 0) sessionStorage.removeItem(keyOf(name))
  else sessionStorage.setItem(keyOf(name), JSON.stringify(draft))
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

/** What is typed at this moment, whether it is shown or not. */
export const typedIn = (name: string): Texts<string> => draftOf(name).typed

const only = (texts: Texts<string>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(texts).filter(([field]) => fields.includes(field)))

const without = (texts: Texts<string>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(texts).filter(([field]) => !fields.includes(field)))

/**
 * What was typed into some fields and not saved yet: it outlives a closed dialog and a reload, until `discard`.
 * `current` is what the fields hold without it; what has come to differ there since is never overwritten unasked.
 */
export function useDraft<Field extends string>(name: string, current: Texts<Field> = {}) {
  const { typed, bases } = useSyncExternalStore(watch, () => draftOf(name)) as Record<keyof Draft, Texts<Field>>
  return {
    typed,
    type(changes: Texts<Field>) {
      const before = draftOf(name)
      const fields = Object.keys(changes) as Field[]
      const unchanged = fields.filter((field) => changes[field] === current[field])
      keep(name, {
        typed: without({ ...before.typed, ...changes }, unchanged),
        bases: without({ ...only(current, fields), ...before.bases }, unchanged),
      })
    },
    /** Whether someone else changed the field after the typing began, to something else than what is typed. */
    isOvertaken(field: Field): boolean {
      // What is not known yet is nobody's change.
      if (typed[field] === undefined || current[field] === undefined) return false
      return bases[field] !== current[field] && typed[field].trim() !== current[field].trim()
    },
    takeTheirs(field: Field) {
      const before = draftOf(name)
      keep(name, { typed: without(before.typed, [field]), bases: without(before.bases, [field]) })
    },
    keepMine(field: Field) {
      const before = draftOf(name)
      keep(name, { ...before, bases: { ...before.bases, ...only(current, [field]) } })
    },
    discard: () => keep(name, { typed: {}, bases: {} }),
  }
}

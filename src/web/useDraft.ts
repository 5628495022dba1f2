import { useSyncExternalStore } from 'react'
import { createStore } from './createStore'
import { DRAFT, DRAFTS_OF, hasStores } from './personalStorage'
import type { Fields, FieldValues } from './useForm'

/** The typed text, and the fields' values when typing began. */
type Draft = { typed: FieldValues; bases: FieldValues }

/** Parsed from sessionStorage once: useSyncExternalStore needs the same object on each read. */
const drafts = new Map<string, Draft>()
const changes = createStore(0)

/** An open form keeps the name it began with. */
const renamed = new Map<string, string>()

const keyOf = (name: string) => `${DRAFT}${name}`

/** A user who signs in does not find another's text in this tab. */
export function keepDraftsOf(userId: number): void {
  if (sessionStorage.getItem(DRAFTS_OF) === String(userId)) return
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFT)) sessionStorage.removeItem(key)
  drafts.clear()
  sessionStorage.setItem(DRAFTS_OF, String(userId))
}

function stored(name: string): Draft {
  const none = { typed: {}, bases: {} }
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(keyOf(name)) ?? '{}') as Partial<Draft>) }
  } catch {
    return none
  }
}

function draftOf(given: string): Draft {
  const name = renamed.get(given) ?? given
  const draft = drafts.get(name) ?? stored(name)
  drafts.set(name, draft)
  return draft
}

function keep(given: string, draft: Draft) {
  const name = renamed.get(given) ?? given
  drafts.set(name, draft)
  changes.set(changes.get() + 1)
  try {
    if (Object.keys(draft.typed).length === 0) sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), JSON.stringify(draft))
  } catch (error) {
    // The storage is full: typing still works, but the text lasts only as long as the page.
    console.warn('A draft could not be stored', error)
  }
}

/** Moves text typed into something that has received its id since. */
export function renameDrafts(from: number, to: number): void {
  // Drafts of dialogs not opened since a reload are only in the storage.
  const keys = hasStores ? Object.keys(sessionStorage).filter((key) => key.startsWith(DRAFT)) : []
  const names = new Set([...drafts.keys(), ...keys.map((key) => key.slice(DRAFT.length))])
  for (const name of names) {
    if (!name.endsWith(`-${from}`)) continue
    const draft = draftOf(name)
    // First, because a nearly full storage has no room for both.
    keep(name, { typed: {}, bases: {} })
    renamed.set(name, `${name.slice(0, -String(from).length)}${to}`)
    keep(name, draft)
  }
}

/** The currently typed text, shown or not. */
export function typedIn(name: string, field: string): string | undefined {
  const value = draftOf(name).typed[field]
  return typeof value === 'string' ? value : undefined
}

const only = (values: FieldValues, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field)))

const without = (values: FieldValues, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field)))

const trimmed = (value: FieldValues[string]) => (typeof value === 'string' ? value.trim() : value)

type Draftable<Values extends FieldValues> = Fields<Values> & {
  /** Types what could not be saved again, except fields typed in since. Returns whether there were others. */
  putBack(values: Partial<Values>): boolean
  isOvertaken(field: keyof Values & string): boolean
  takeTheirs(field: keyof Values & string): void
  keepMine(field: keyof Values & string): void
}

/** Typed text survives its dialog and a reload, until `discard`; `current` are the fields' values without it. */
export function useDraft<Values extends FieldValues>(name: string, current: Values): Draftable<Values> {
  const { typed, bases } = useSyncExternalStore(changes.watch, () => draftOf(name))
  function type(values: FieldValues) {
    const before = draftOf(name)
    const fields = Object.keys(values)
    const unchanged = fields.filter((field) => values[field] === current[field])
    keep(name, {
      typed: without({ ...before.typed, ...values }, unchanged),
      bases: without({ ...only(current, fields), ...before.bases }, unchanged),
    })
  }
  return {
    values: { ...current, ...typed },
    // Drafts of this name have these fields.
    typed: typed as Partial<Values>,
    isDraft: true,
    type,
    putBack(values) {
      const lost = without(values, Object.keys(draftOf(name).typed))
      type(lost)
      return Object.keys(lost).length > 0
    },
    /** Whether someone changed the field after typing began, to a value other than the typed one. */
    isOvertaken(field) {
      // Nobody has changed a field that is not loaded yet.
      if (typed[field] === undefined || current[field] === undefined) return false
      return bases[field] !== current[field] && trimmed(typed[field]) !== trimmed(current[field])
    },
    takeTheirs(field) {
      const before = draftOf(name)
      keep(name, { typed: without(before.typed, [field]), bases: without(before.bases, [field]) })
    },
    keepMine(field) {
      const before = draftOf(name)
      keep(name, { ...before, bases: { ...before.bases, ...only(current, [field]) } })
    },
    discard(saved) {
      const { typed, bases } = draftOf(name)
      const stays = Object.keys(saved ?? {}).filter((field) => typed[field] !== undefined && typed[field] !== saved?.[field])
      // Typing continued from what was saved.
      keep(name, { typed: only(typed, stays), bases: { ...only(bases, stays), ...only(saved ?? {}, stays) } })
    },
  }
}

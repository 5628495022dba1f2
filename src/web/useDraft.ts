import { useState } from 'react'

type Texts<Field extends string> = Partial<Record<Field, string>>

/** What was typed, and beside it what stood there when the typing began. */
type Draft<Field extends string> = { typed: Texts<Field>; bases: Texts<Field> }

const stored = <Field extends string>(key: string): Draft<Field> => {
  const none = { typed: {}, bases: {} }
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Draft<Field>>) }
  } catch {
    return none
  }
}

const only = <Field extends string>(texts: Texts<Field>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(texts).filter(([field]) => fields.includes(field))) as Texts<Field>

const without = <Field extends string>(texts: Texts<Field>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(texts).filter(([field]) => !fields.includes(field))) as Texts<Field>

/**
 * What was typed into some fields and not saved yet: it outlives a closed dialog and a reload, until `discard`.
 * `current` is what the fields hold without it; what has come to differ there since is never overwritten unasked.
 */
export function useDraft<Field extends string>(name: string, current: Texts<Field> = {}) {
  const key = `draft:${name}`
  const [{ typed, bases }, setDraft] = useState(() => stored<Field>(key))
  const keep = (next: Draft<Field>) => {
    setDraft(next)
    if (Object.keys(next.typed).length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(next))
  }
  const drop = (fields: readonly string[]) => keep({ typed: without(typed, fields), bases: without(bases, fields) })
  return {
    typed,
    type(changes: Texts<Field>) {
      const fields = Object.keys(changes) as Field[]
      const unchanged = fields.filter((field) => changes[field] === current[field])
      keep({
        typed: without({ ...typed, ...changes }, unchanged),
        bases: without({ ...only(current, fields), ...bases }, unchanged),
      })
    },
    /** Whether someone else changed the field after the typing began, to something else than what is typed. */
    isOvertaken(field: Field): boolean {
      return typed[field] !== undefined && bases[field] !== current[field] && typed[field].trim() !== current[field]?.trim()
    },
    takeTheirs: (field: Field) => drop([field]),
    keepMine: (field: Field) => keep({ typed, bases: { ...bases, ...only(current, [field]) } }),
    discard: () => keep({ typed: {}, bases: {} }),
  }
}

import { useState } from 'react'

type Typed<Field extends string> = Partial<Record<Field, string>>

const stored = <Field extends string>(key: string): Typed<Field> => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Typed<Field>
  } catch {
    return {}
  }
}

/** What was typed into some fields and not saved yet: it outlives a closed dialog and a reload, until `discard`. */
export function useDraft<Field extends string>(name: string) {
  const key = `draft:${name}`
  const [typed, setTyped] = useState(() => stored<Field>(key))
  return {
    typed,
    type(field: Field, value: string) {
      const next = { ...typed, [field]: value }
      setTyped(next)
      sessionStorage.setItem(key, JSON.stringify(next))
    },
    discard() {
      setTyped({})
      sessionStorage.removeItem(key)
    },
  }
}

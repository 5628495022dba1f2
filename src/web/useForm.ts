import { type ChangeEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { z } from 'zod'
import { numberText } from '../format'

export type FieldValues = Record<string, string | boolean | undefined>

/** Where a form's text is kept while typing: in memory (`useFields`) or as a draft (`useDraft`). */
export type Fields<Values extends FieldValues> = {
  values: Values
  typed: Partial<Values>
  /** A draft's errors say how much too long its text is. */
  isDraft: boolean
  type(changes: Partial<Values>): void
  /** Forgets what was typed; `saved` fields only if they were not edited since. */
  discard(saved?: Partial<Values>): void
}

type Rules<Data> = {
  /** Undefined while loading: a submit meanwhile is sent afterwards. */
  schema: z.ZodType<Data> | undefined
  /** The schema's input, if not the values themselves. */
  input?: Record<string, unknown>
  early?: 'nothing' | 'too long' | 'all'
}

type Errors<Values> = Partial<Record<keyof Values, string>>
type Named<Values, Kind> = { [Name in keyof Values]-?: Values[Name] extends Kind ? Name : never }[keyof Values] & string
type Typing = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>
type Submitting = SubmitEvent<HTMLFormElement>

/** Fields in memory, for what must not be stored, such as passwords. */
export function useFields<Values extends FieldValues>(given: Values): Fields<Values> {
  const [initial] = useState(given)
  const [typed, setTyped] = useState<Partial<Values>>({})
  return {
    values: { ...initial, ...typed },
    typed,
    isDraft: false,
    type: (changes) => setTyped((before) => ({ ...before, ...changes })),
    discard: () => setTyped({}),
  }
}

/** A form over fields, validated by a schema; a refused submit shows the errors and focuses the first wrong field. */
export function useForm<Values extends FieldValues, Data>(fields: Fields<Values>, rules: Rules<Data>) {
  const { values, typed, type } = fields
  const { data, errors, all, tell, refuse, forget } = useErrors(fields, rules)
  const element = useRef<HTMLElement>(null)
  const waiting = useRef<HTMLFormElement>(null)
  const isReady = rules.schema !== undefined
  useEffect(() => {
    if (isReady && waiting.current?.isConnected) waiting.current.requestSubmit()
    waiting.current = null
  }, [isReady])
  const focusFirstWrong = () => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  // A field's name and its value's type belong together, which a computed key cannot express.
  const change = (field: string, value: string | boolean) => type({ [field]: value } as Partial<Values>)
  /** Further typing sends it again. */
  const edit = (field: string, value: string | boolean) => {
    waiting.current = null
    change(field, value)
  }
  /** The parsed fields; undefined, with errors shown, if they are invalid. */
  const attempt = (within: HTMLElement | null): Data | undefined => {
    element.current = within
    flushSync(tell)
    if (data === undefined) focusFirstWrong()
    return data
  }
  return {
    values,
    typed,
    errors,
    isValid: data !== undefined,
    type,
    attempt,
    text: (name: Named<Values, string>) => ({
      name,
      value: String(values[name]),
      onChange: (event: Typing) => edit(name, event.target.value),
    }),
    check: (name: Named<Values, boolean>) => ({
      name,
      checked: values[name] === true,
      onChange: (event: ChangeEvent<HTMLInputElement>) => edit(name, event.target.checked),
    }),
    /** Adopts what was typed or filled in by the browser before hydration. */
    adopt(form: HTMLFormElement) {
      for (const { name, type, value, checked } of form.querySelectorAll('input')) {
        const given = type === 'checkbox' ? checked : value
        if (name in values && values[name] !== given) change(name, given)
      }
    },
    submit: (send: (data: Data) => unknown, refused?: (errors: Errors<Values>) => void) => (event: Submitting) => {
      event.preventDefault()
      if (!isReady) {
        waiting.current = event.currentTarget
        return
      }
      const unclear = event.currentTarget.querySelector<HTMLElement>('[data-unclear]')
      if (unclear) return unclear.focus()
      const given = attempt(event.currentTarget)
      if (given === undefined) refused?.(all)
      else void send(given)
    },
    refuse(answered: Errors<Values>) {
      flushSync(() => refuse(answered))
      focusFirstWrong()
    },
    discard(saved?: Partial<Values>) {
      fields.discard(saved)
      forget()
    },
  }
}

/** `all` are the fields' errors, `errors` those to show by now. */
function useErrors<Values extends FieldValues, Data>(
  { values, isDraft }: Fields<Values>,
  { schema, input = values, early = 'nothing' }: Rules<Data>,
) {
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<{ errors: Errors<Values>; values: Values }>()
  const result = schema?.safeParse(input)
  const faults = Object.entries(faultsIn(result?.error?.issues ?? [], isDraft ? input : {}))
  const told = faults.filter(([, { isTooLong }]) => tried || early === 'all' || (early === 'too long' && isTooLong))
  // The server's error shows until the field is changed.
  const stillRefused = Object.entries(refused?.errors ?? {}).filter(([field]) => refused?.values[field] === values[field])
  return {
    data: result?.data,
    errors: { ...Object.fromEntries(stillRefused), ...messages<Values>(told) },
    all: messages<Values>(faults),
    tell() {
      setTried(true)
      setRefused(undefined)
    },
    refuse: (errors: Errors<Values>) => setRefused({ errors, values }),
    forget() {
      setTried(false)
      setRefused(undefined)
    },
  }
}

/** Schemas use the form's field names. */
const messages = <Values>(faults: [string, Fault][]) =>
  Object.fromEntries(faults.map(([field, { message }]) => [field, message])) as Errors<Values>

export type Fault = { message: string; isTooLong: boolean }

/** The first issue of each field; for text that is too long, with its length. */
export function faultsIn(issues: z.core.$ZodIssue[], given: Record<string, unknown>): Record<string, Fault> {
  return Object.fromEntries(
    issues.toReversed().map(({ code, message, path: [name] }) => {
      const field = String(name)
      const text = given[field]
      const isTooLong = code === 'too_big'
      return [field, { isTooLong, message: isTooLong && typeof text === 'string' ? `${message} ${youHave(text)}` : message }]
    }),
  )
}

export const youHave = (text: string): string => `(you have ${numberText(text.trim().length)})`

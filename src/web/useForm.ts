import { type ChangeEvent, type SubmitEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { z } from 'zod'
import { type Fault, faultsIn } from './fieldErrors'

export type FieldValues = Record<string, string | boolean | undefined>

/** Where a form's texts are kept while they are typed: in memory (`useFields`) or as a draft (`useDraft`). */
export type Fields<Values extends FieldValues> = {
  values: Values
  typed: Partial<Values>
  /** Of what one writes, other than of what one fills in, it is told by how much it is too long. */
  isDraft: boolean
  type(changes: Partial<Values>): void
  discard(): void
}

type Rules<Data> = {
  schema: z.ZodType<Data>
  /** What the schema judges, where that is not the values themselves. */
  judged?: FieldValues | Record<string, unknown>
  /** What is told before one tried to send: nothing, that a text is too long, or all that is wrong. */
  early?: 'nothing' | 'too long' | 'all'
}

type Errors<Values> = Partial<Record<keyof Values, string>>
type Named<Values, Kind> = { [Name in keyof Values]-?: Values[Name] extends Kind ? Name : never }[keyof Values] & string
type Typing = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>

/** Fields whose content goes with the form: for what must not be stored, such as passwords. */
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

/** A form over fields: judges them by a schema, tells what is wrong in time, and sends what is right. */
export function useForm<Values extends FieldValues, Data>(
  { values, typed, isDraft, type, discard }: Fields<Values>,
  { schema, judged = values, early = 'nothing' }: Rules<Data>,
) {
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<{ errors: Errors<Values>; values: Values }>()
  const element = useRef<HTMLElement>(null)
  const result = schema.safeParse(judged)
  const faults = Object.entries(faultsIn(result.error?.issues ?? [], isDraft ? judged : {}))
  // Schemas name their fields as the form does.
  const wrong = (isTold: (fault: Fault) => boolean) =>
    Object.fromEntries(
      faults.filter(([, fault]) => isTold(fault)).map(([field, { message }]) => [field, message]),
    ) as Errors<Values>
  const isToldEarly = ({ isTooLong }: Fault) => early === 'all' || (early === 'too long' && isTooLong)
  // The server's word holds until the field is changed.
  const stillRefused = Object.entries(refused?.errors ?? {}).filter(([field]) => refused?.values[field] === values[field])
  const errors: Errors<Values> = { ...Object.fromEntries(stillRefused), ...wrong((fault) => tried || isToldEarly(fault)) }

  const focusFirstWrong = () => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  const change = (field: string, value: string | boolean) => type({ [field]: value } as Partial<Values>)
  /** What the schema made of the fields; undefined where something is wrong, which then is told. */
  const attempt = (within: HTMLElement | null): Data | undefined => {
    element.current = within
    flushSync(() => {
      setTried(true)
      setRefused(undefined)
    })
    if (!result.success) focusFirstWrong()
    return result.data
  }
  return {
    values,
    typed,
    errors,
    type,
    attempt,
    text: (name: Named<Values, string>) => ({
      name,
      value: values[name] as string,
      onChange: (event: Typing) => change(name, event.target.value),
    }),
    check: (name: Named<Values, boolean>) => ({
      name,
      checked: values[name] as boolean,
      onChange: (event: ChangeEvent<HTMLInputElement>) => change(name, event.target.checked),
    }),
    submit:
      (send: (data: Data) => unknown, refuse?: (errors: Errors<Values>) => void) => (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        const data = attempt(event.currentTarget)
        if (data === undefined) refuse?.(wrong(() => true))
        else void send(data)
      },
    /** Tells what the server has against some fields. */
    refuse(answered: Errors<Values>) {
      flushSync(() => setRefused({ errors: answered, values }))
      focusFirstWrong()
    },
    discard() {
      discard()
      setTried(false)
      setRefused(undefined)
    },
  }
}

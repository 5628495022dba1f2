import type { Checkbox } from '../../checklist'
import type { Call } from '../client'
import { reasonOr, refusalOf } from '../refusal'
import type { ToastText } from '../toast'
import type { Made } from './changeKinds'
import { unanswered } from './pendingChanges'

export type Row = { revision: number }

/**
 * Sends a change based on a row's revision. If the row has a newer one with the same `fields`, it is sent again based on that.
 * Throws PRECONDITION_FAILED if someone changed one of them meanwhile.
 */
export async function sendOnRevision<Base extends Row, Answer>(
  base: Base,
  fields: readonly (keyof Base)[],
  { context }: Call,
  { isSettled, forcedAt }: Pick<Made, 'isSettled' | 'forcedAt'>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const revision = isSettled ? base.revision : UNKNOWN
  context.ifMatch = forcedAt ? undefined : revision
  try {
    return await send()
  } catch (error) {
    // The current row, which the server includes.
    const current = refusalOf(error)?.current as Base | undefined
    if (!current || fields.some((field) => !isSame(current[field], base[field]))) throw error
    return sendOnRevision({ ...base, revision: current.revision }, fields, { context }, { isSettled: true }, send)
  }
}

/** No row has it: the server answers with the current row. */
const UNKNOWN = 0

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Why an undo failed. */
export const notUndone = (error: unknown) => ({
  title: 'Undo Failed',
  description: isOvertaken(error) ? 'Someone has changed this since.' : reasonOr(error, 'Could not undo this. Please try again.'),
})

export const isOvertaken = (error: unknown): boolean => refusalOf(error)?.current !== undefined

type Ticking<Now extends Row> = {
  box: Checkbox
  /** 0 for a text that may have changed. */
  base: { revision: number; text: string }
  textOf(row: Now): string
  send(text: string): Promise<Now>
}

/** Ticks a box in a text or its newer version. Null if it was already ticked; throws PRECONDITION_FAILED if it is gone. */
export async function tickOnRevision<Now extends Row>(
  { box, base, textOf, send }: Ticking<Now>,
  { context }: Call,
): Promise<Now | null> {
  const { key } = context
  const { withNearestCheckbox } = await import('../../markdown')
  let { revision, text } = base
  for (;;) {
    context.ifMatch = revision
    try {
      return await send(withNearestCheckbox(text, box) ?? text)
    } catch (error) {
      const current = refusalOf(error)?.current as Now | undefined
      const ticked = current && withNearestCheckbox(textOf(current), box)
      if (!current || ticked === undefined) throw error
      if (ticked === textOf(current)) return null
      text = textOf(current)
      revision = current.revision
      // A different text is a different request.
      context.key = `${key} ${revision}`
    }
  }
}

/** 0 while the shown change may still be refused. */
export const settledRevision = ({ revision }: Row): number => (unanswered() === 0 ? revision : UNKNOWN)

export const tickText = ({ done }: Checkbox): string => (done ? 'Checked' : 'Unchecked')

const BOX_GONE = 'Someone else changed this line at the same time.'

export const boxGone = (words: ToastText) => (error: unknown) =>
  isOvertaken(error) ? { ...words, description: BOX_GONE } : words

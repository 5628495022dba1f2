import { type Box, withBox } from '../../boxes'
import type { Call } from '../calls'
import { reasonOr, refusalOf } from '../refusal'
import type { ToastText } from '../toast'
import type { Made } from './changeKinds'
import { unsent } from './pending'

type Row = { revision: number }

/**
 * Sends a change upon the row that it was made of. Where that has another revision by now but still the same `fields`,
 * it is sent upon the new one. Throws PRECONDITION_FAILED where somebody changed one of them meanwhile.
 */
export async function upon<Base extends Row, Answer>(
  base: Base,
  fields: readonly (keyof Base)[],
  { context }: Call,
  { isForced }: Pick<Made, 'isForced'>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  context.ifMatch = isForced ? undefined : base.revision
  try {
    return await send()
  } catch (error) {
    // The row as it is now, which the server sends along.
    const current = refusalOf(error)?.current as Base | undefined
    if (!current || fields.some((field) => !isSame(current[field], base[field]))) throw error
    return upon({ ...base, revision: current.revision }, fields, { context }, {}, send)
  }
}

type Ticking<Now extends Row> = {
  box: Box
  /** A revision of 0 for a text that may be another by now. */
  base: { revision: number; text: string }
  textOf(row: Now): string
  send(text: string): Promise<Now>
}

/**
 * Sends a text with a box of it ticked, or not. Where it is another text by now, the box with the same words is ticked in that.
 * Throws PRECONDITION_FAILED where there is none.
 */
export async function uponBox<Now extends Row>({ box, base, textOf, send }: Ticking<Now>, { context }: Call): Promise<Now> {
  const { key } = context
  let { revision, text } = base
  for (;;) {
    context.ifMatch = revision
    try {
      return await send(withBox(text, box) ?? text)
    } catch (error) {
      const current = refusalOf(error)?.current as Now | undefined
      if (!current || withBox(textOf(current), box) === undefined) throw error
      text = textOf(current)
      if (withBox(text, box) === text) return current
      revision = current.revision
      // Another text is another request.
      context.key = `${key} ${revision}`
    }
  }
}

/** 0 while what one sees may yet be refused. */
export const settledRevision = ({ revision }: Row): number => (unsent() === 0 ? revision : 0)

export const tickText = ({ done }: Box): string => (done ? 'Ticked' : 'Unticked')

const BOX_GONE = 'Somebody else changed this line at the same time.'

export const boxGone = (words: ToastText) => (error: unknown) =>
  isOvertaken(error) ? { ...words, description: BOX_GONE } : words

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Why something was not taken back. */
export const notUndone = (error: unknown) => ({
  title: 'Not Undone',
  description: isOvertaken(error) ? 'Somebody changed this since.' : reasonOr(error, 'Could not undo this. Please try again.'),
})

export const isOvertaken = (error: unknown): boolean => refusalOf(error)?.current !== undefined

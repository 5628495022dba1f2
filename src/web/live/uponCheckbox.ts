import type { Checkbox } from '../../checklist'
import type { Call } from '../client'
import { refusalOf } from '../refusal'
import type { ToastText } from '../toast'
import { unsent } from './pending'
import { isOvertaken, type Row } from './upon'

type Ticking<Now extends Row> = {
  box: Checkbox
  /** A revision of 0 for a text that may be another by now. */
  base: { revision: number; text: string }
  textOf(row: Now): string
  send(text: string): Promise<Now>
}

/**
 * Sends a text with a box of it ticked, or not. Where it is another text by now, the box with the same words is ticked in that.
 * Null where somebody else has done so. Throws PRECONDITION_FAILED where there is no such box.
 */
export async function uponCheckbox<Now extends Row>(
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
      // Another text is another request.
      context.key = `${key} ${revision}`
    }
  }
}

/** 0 while what one sees may yet be refused. */
export const settledRevision = ({ revision }: Row): number => (unsent() === 0 ? revision : 0)

export const tickText = ({ done }: Checkbox): string => (done ? 'Ticked' : 'Unticked')

const BOX_GONE = 'Somebody else changed this line at the same time.'

export const boxGone = (words: ToastText) => (error: unknown) =>
  isOvertaken(error) ? { ...words, description: BOX_GONE } : words

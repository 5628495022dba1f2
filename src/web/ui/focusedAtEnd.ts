import type { FocusEvent } from 'react'

const focused = new WeakSet<Element>()

/** For a field that opens with text in it: browsers put the caret before that text. Later it stays where one left it. */
export const FOCUSED_AT_END = {
  autoFocus: true,
  onFocus({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) {
    if (!focused.has(target)) target.setSelectionRange(target.value.length, target.value.length)
    focused.add(target)
  },
}

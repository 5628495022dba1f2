import type { FocusEvent } from 'react'

/** For a field that opens with text in it: browsers put the caret before it. */
export const FOCUSED_AT_END = {
  autoFocus: true,
  onFocus: ({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    target.setSelectionRange(target.value.length, target.value.length),
}

const FIELDS = 'input:not([type=checkbox]), textarea, select'

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS))

import { useState } from 'react'

/**
 * For a dialog: Radix returns the focus only to its own trigger, but keys, menus and addresses open dialogs too. Noted before
 * anything of the dialog is in the page, for its fields may take the focus at once.
 */
export function useReturnedFocus(open: boolean) {
  const [opened, setOpened] = useState<{ open: boolean; opener: Element | null }>({ open: false, opener: null })
  if (open !== opened.open) setOpened({ open, opener: open ? openerOf(document.activeElement) : opened.opener })
  return (event: Event) => {
    const { opener } = opened
    if (!(opener instanceof HTMLElement) || !opener.isConnected) return
    event.preventDefault()
    opener.focus()
  }
}

/** A menu is gone when the dialog closes, and its button is not. */
function openerOf(focused: Element | null): Element | null {
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button && document.getElementById(button)) || focused
}

import { useRef } from 'react'

/** For a dialog: Radix returns the focus only to its own trigger, but keys, menus and addresses open dialogs too. */
export function useReturnedFocus() {
  const opener = useRef<Element | null>(null)
  return {
    enter: () => {
      opener.current = openerOf(document.activeElement)
    },
    giveBack: (event: Event) => {
      if (!(opener.current instanceof HTMLElement) || !opener.current.isConnected) return
      event.preventDefault()
      opener.current.focus()
    },
  }
}

/** A menu is gone when the dialog closes, and its button is not. */
function openerOf(focused: Element | null): Element | null {
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button && document.getElementById(button)) || focused
}

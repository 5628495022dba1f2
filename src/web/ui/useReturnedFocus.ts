import { useRef } from 'react'

/** For a dialog: Radix returns the focus only to its own trigger, but keys, menus and addresses open dialogs too. */
export function useReturnedFocus() {
  const opener = useRef<Element | null>(null)
  return {
    enter: () => {
      opener.current = document.activeElement
    },
    giveBack: (event: Event) => {
      if (!(opener.current instanceof HTMLElement) || !opener.current.isConnected) return
      event.preventDefault()
      opener.current.focus()
    },
  }
}

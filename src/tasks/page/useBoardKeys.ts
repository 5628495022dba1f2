import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '../../web/isTyping'

/** Single-letter shortcuts, inactive while typing or while a dialog is open. */
export function useBoardKeys(actions: Readonly<Record<string, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (isCovered()) return
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

export const isCovered = () => document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null

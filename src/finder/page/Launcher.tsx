import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { whenIdle } from '../../web/whenIdle'
import { FinderDialog, Finding } from './FinderDialog'

/** Opened by a click, and by Ctrl or ⌘ with K wherever one is. */
export function useFinder() {
  const [open, setOpen] = useState(false)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    setOpen(!open)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    whenIdle(() => void Finding.load().catch(() => {}))
    return () => window.removeEventListener('keydown', listener)
  }, [])
  return {
    find: () => setOpen(true),
    finder: <FinderDialog open={open} onOpenChange={setOpen} />,
  }
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

export const FinderField = ({ onFind }: { onFind(): void }) => (
  <button
    type="button"
    onClick={onFind}
    aria-keyshortcuts="Control+K Meta+K"
    className="flex h-9 shrink-0 items-center gap-2 rounded-card bg-surface px-2.5 text-left text-quiet ring-1 ring-line ring-inset hover:bg-hover hover:text-text"
  >
    <Search className="size-4" aria-hidden />
    <span className="flex-1">Find</span>
    <kbd aria-hidden className="font-sans text-small">
      {isMac ? '⌘ K' : 'Ctrl K'}
    </kbd>
  </button>
)

export const FinderButton = ({ onFind }: { onFind(): void }) => (
  <button
    type="button"
    aria-label="Find"
    onClick={onFind}
    className="grid size-9 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
  >
    <Search className="size-4.5" aria-hidden />
  </button>
)

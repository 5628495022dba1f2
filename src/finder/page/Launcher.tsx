import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { lazyOverlay } from '../../web/ui/lazyOverlay'
import { useEver } from '../../web/useEver'

const FinderDialog = lazyOverlay(() => import('./FinderDialog').then((module) => module.FinderDialog))

/** Opened by a click, and by Ctrl or ⌘ with K wherever one is. */
export function useFinder() {
  const [open, setOpen] = useState(false)
  const hasOpened = useEver(open)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // The key that comes before the K.
    if (event.key === 'Control' || event.key === 'Meta') void FinderDialog.load().catch(() => {})
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    setOpen(!open)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  return {
    find: () => setOpen(true),
    finder: hasOpened && <FinderDialog open={open} onOpenChange={setOpen} />,
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

import { Dialog } from '../../web/ui/Dialog'

const SHORTCUTS = [
  { keys: ['Ctrl / ⌘', 'K'], does: 'Find boards, tasks and people' },
  { keys: ['c'], does: 'New task' },
  { keys: ['Shift', 'C'], does: 'New task with all fields' },
  { keys: ['/'], does: 'Filter the board' },
  { keys: ['↑', '↓', '←', '→'], does: 'Move between cards' },
  { keys: ['Enter'], does: 'Open a card' },
  { keys: ['t'], does: 'Start or stop a card’s timer' },
  { keys: ['Shift', 'F10'], does: 'A card’s menu' },
  { keys: ['Space'], does: 'Pick up a card; press again to drop it' },
  { keys: ['↑', '↓', '←', '→'], does: 'Move the picked-up card' },
  { keys: ['Esc'], does: 'Put it back, or close a dialog' },
  { keys: ['Ctrl / ⌘', 'Enter'], does: 'Send a comment' },
  { keys: ['Ctrl / ⌘', 'Z'], does: 'Undo your last change' },
  { keys: ['Shift', 'T'], does: 'My time' },
  { keys: ['?'], does: 'This list' },
]

export const KeyboardShortcuts = ({ open, onClose }: { open: boolean; onClose(): void }) => (
  <Dialog open={open} onOpenChange={(next) => !next && onClose()} title="Keyboard shortcuts">
    <dl className="flex flex-col gap-2">
      {SHORTCUTS.map(({ keys, does }) => (
        <div key={does} className="flex items-center justify-between gap-4">
          <dt>{does}</dt>
          <dd className="flex gap-1">
            {keys.map((key) => (
              <kbd key={key} className="min-w-6 rounded-chip bg-column px-1.5 py-0.5 text-center font-sans text-quiet text-small">
                {key}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </Dialog>
)

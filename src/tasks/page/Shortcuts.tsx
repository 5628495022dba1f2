import { Dialog } from '../../web/ui/Dialog'

const SHORTCUTS = [
  { keys: ['Ctrl / ⌘', 'K'], does: 'Find boards, tasks and people' },
  { keys: ['c'], does: 'New task' },
  { keys: ['Shift', 'C'], does: 'New task with all its fields' },
  { keys: ['/'], does: 'Filter the board' },
  { keys: ['↑', '↓', '←', '→'], does: 'Walk the cards' },
  { keys: ['Enter'], does: 'Open a card' },
  { keys: ['t'], does: 'Start or stop the timer of a card' },
  { keys: ['Shift', 'F10'], does: 'Menu of a card' },
  { keys: ['Space'], does: 'Pick a card up; again, drop it' },
  { keys: ['↑', '↓', '←', '→'], does: 'Move a card that is picked up' },
  { keys: ['Esc'], does: 'Put it back, or close a dialog' },
  { keys: ['Ctrl / ⌘', 'Enter'], does: 'Send a comment' },
  { keys: ['Ctrl / ⌘', 'Z'], does: 'Undo what you did last' },
  { keys: ['Shift', 'T'], does: 'My time' },
  { keys: ['?'], does: 'This list' },
]

export const Shortcuts = ({ open, onClose }: { open: boolean; onClose(): void }) => (
  <Dialog open={open} onOpenChange={(next) => !next && onClose()} title="Keyboard shortcuts">
    <dl className="flex flex-col gap-2">
      {SHORTCUTS.map(({ keys, does }) => (
        <div key={does} className="flex items-center justify-between gap-4">
          <dt>{does}</dt>
          <dd className="flex gap-1">
            {keys.map((key) => (
              <kbd
                key={key}
                className="min-w-6 rounded-[4px] bg-column px-1.5 py-0.5 text-center font-sans text-quiet text-small"
              >
                {key}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </Dialog>
)

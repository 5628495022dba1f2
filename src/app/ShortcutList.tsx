import { COMMAND_KEY } from '../web/keyboard'
import { Dialog, SCROLLING } from '../web/ui/Dialog'

const ARROWS = ['↑', '↓', '←', '→']

const SHORTCUTS = {
  'On the board': [
    { keys: ['c'], does: 'New task' },
    { keys: ['Shift', 'C'], does: 'New task with all fields' },
    { keys: ['/'], does: 'Filter the board' },
    { keys: ARROWS, does: 'Move between cards' },
  ],
  'On a card': [
    { keys: ['Enter'], does: 'Open it' },
    { keys: ['e'], does: 'Edit its title' },
    { keys: ['a'], does: 'Assign it' },
    { keys: ['d'], does: 'Set its due date' },
    { keys: ['t'], does: 'Start or stop its timer' },
    { keys: ['m'], does: 'Move it' },
    { keys: ['1', '2', '3'], does: 'Move it to column 1, 2 or 3' },
    { keys: ['Space'], does: 'Pick it up; press again to drop it' },
    { keys: ARROWS, does: 'Move it once it’s picked up' },
    { keys: ['Shift', 'F10'], does: 'Open its menu' },
  ],
  'Several cards': [
    { keys: ['x'], does: 'Select a card, or deselect it' },
    { keys: ['Shift', '↑', '↓'], does: 'Select more' },
    { keys: ['a'], does: 'Assign all of them' },
    { keys: ['m'], does: 'Move all of them' },
    { keys: ['1', '2', '3'], does: 'Move them to column 1, 2 or 3' },
    { keys: ['Esc'], does: 'Clear the selection' },
  ],
  'In My time': [{ keys: ['Shift', 'F2'], does: 'Add a note to a cell' }],
  Anywhere: [
    { keys: [COMMAND_KEY, 'K'], does: 'Search boards, tasks, comments and people' },
    { keys: [COMMAND_KEY, 'Enter'], does: 'Send a comment' },
    { keys: [COMMAND_KEY, 'Z'], does: 'Undo your last change' },
    { keys: ['Shift', 'T'], does: 'Open My time' },
    { keys: ['Esc'], does: 'Close a dialog, or put a picked-up card back' },
    { keys: ['?'], does: 'Show this list' },
  ],
}

export const ShortcutList = ({ onClose }: { onClose(): void }) => (
  <Dialog open onOpenChange={(next) => !next && onClose()} title="Keyboard shortcuts" shape="list">
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className={`min-h-0 border-line border-t outline-none keyed:border-edge sm:rounded-b-panel ${SCROLLING}`}
    >
      <div className="-mb-5 gap-x-10 pt-3 md:columns-2">
        {Object.entries(SHORTCUTS).map(([where, shortcuts]) => (
          <section key={where} aria-label={where} className="flex break-inside-avoid flex-col gap-2 pb-5">
            <h3 className="font-strong">{where}</h3>
            <dl className="flex flex-col gap-2">
              {shortcuts.map(({ keys, does }) => (
                <div key={does} className="flex items-center justify-between gap-4">
                  <dt>{does}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {keys.map((key) => (
                      <kbd
                        key={key}
                        className="min-w-6 whitespace-nowrap rounded-chip bg-column px-1.5 py-0.5 text-center font-sans text-quiet text-small"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </div>
  </Dialog>
)

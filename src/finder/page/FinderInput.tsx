import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import * as Radix from 'radix-ui/dialog'
import type { ComponentProps, ReactNode } from 'react'
import { FIND_MAX } from '../rank'
import type { FoundBoard } from '../schema'

type Typed = { typed: string; onType(text: string): void }
/** What opens in the finder's place. */
export type Opened = 'board' | 'shortcuts' | { newTaskIn: FoundBoard }
/** `isEarly`: typing began before the rest had loaded. */
export type FindingProps = Typed & { isEarly: boolean } & Choosing
/** Called when the choice leads elsewhere, is done at once, or opens something. */
export type Choosing = { onLeave(): void; onDone(): void; onOpen(opened: Opened): void }

export const Face = ({ children }: { children: ReactNode }) => (
  <span className="grid size-6 shrink-0 place-items-center">{children}</span>
)

export const FinderInput = ({ typed, onType, ...combobox }: Typed & ComponentProps<'input'>) => (
  <div className="finder-head">
    <Face>
      <Search className="size-4.5 text-quiet" aria-hidden />
    </Face>
    <input
      role="combobox"
      aria-expanded={false}
      aria-controls={undefined}
      aria-label="Search boards, tasks, comments and people"
      aria-autocomplete="list"
      placeholder="Search boards, tasks, comments, people"
      autoComplete="off"
      spellCheck={false}
      enterKeyHint="go"
      maxLength={FIND_MAX}
      dir="auto"
      value={typed}
      onChange={(event) => onType(event.target.value)}
      {...combobox}
      className="my-1.5 h-field min-w-0 flex-1 bg-transparent outline-none"
    />
    <Radix.Close
      aria-label="Close"
      className="-mr-overhang grid size-icon shrink-0 place-items-center rounded-card text-quiet hover:bg-hover hover:text-text"
    >
      <X className="size-4" aria-hidden />
    </Radix.Close>
  </div>
)

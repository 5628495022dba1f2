import ChevronRight from 'lucide-react/icons/chevron-right'
import { type ReactNode, useRef, useState } from 'react'
import type { Board } from '../../boards/schema'
import { countText, durationText, numberText } from '../../format'
import { BOARD_ID } from '../../tasks/page/useKeyboardMove'
import { displayName } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { COUNTED_MAX, namesText } from '../limits'
import type { ImportedName } from '../schema'
import { type OwnName, useAnswerName, useDeclineNames, useLiveNames, useOwnNames } from './names'

/** Asks about one name after the other, or about all of them at once. */
export function BoardNames({ board }: { board: Board }) {
  useLiveNames(board.id)
  const open = useOwnNames(board).filter(({ isRefused }) => !isRefused)
  const [first, ...others] = open
  return (
    <div role="status">
      {first && (
        <NameQuestion key={first.user.id} boardId={board.id} {...first} className="mx-4 mt-3 sm:mx-6">
          {others.length > 0 && (
            <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 text-small">
              <p className="wrap-anywhere min-w-0 flex-1 basis-40 text-quiet">
                There is also imported work by {namesText(others.map(({ user }) => displayName(user)))}.
              </p>
              <NoneMine boardId={board.id} nameIds={open.map(({ user }) => user.id)} />
            </div>
          )}
        </NameQuestion>
      )}
    </div>
  )
}

function NoneMine({ boardId, nameIds }: { boardId: number; nameIds: number[] }) {
  const place = useRef<HTMLButtonElement>(null)
  const decline = useDeclineNames(boardId)
  return (
    <Button
      ref={place}
      size="small"
      look="quiet"
      busy={decline.isPending}
      onClick={() => void focusAfter(place.current, decline.run(nameIds))}
    >
      None of these are mine
    </Button>
  )
}

type Props = OwnName & { boardId: number; className?: string; children?: ReactNode }

const BOX = 'rounded-card bg-column px-3 py-2'

function NameQuestion({ boardId, user, work, isRefused, className = '', children }: Props) {
  const [confirming, setConfirming] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const answer = useAnswerName(boardId, user)
  const amount = work && workText(work)
  const say = (isMine: boolean) => {
    setConfirming(false)
    void focusAfter(place.current, answer.say(isMine))
  }
  return (
    <div ref={place} className={`flex flex-wrap items-center gap-x-3 gap-y-2 ${isRefused ? 'py-0.5' : BOX} ${className}`}>
      <p className={`wrap-anywhere min-w-0 flex-1 text-pretty ${isRefused ? '' : 'basis-48'}`}>
        {!isRefused && 'Imported work by '}
        <bdi className="font-strong">{displayName(user)}</bdi>
        {!isRefused && ': is it yours?'}
        {amount && <span className="tabular block text-quiet text-small">{amount}</span>}
      </p>
      <div className="flex gap-2">
        <Button size="small" busy={answer.isPending} onClick={() => setConfirming(true)}>
          It’s mine
        </Button>
        {!isRefused && (
          // The second of two quick clicks would answer the next question.
          <Button size="small" look="quiet" disabled={answer.isPending} onClick={({ detail }) => detail < 2 && say(false)}>
            Not mine
          </Button>
        )}
      </div>
      {children}
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={`Claim ${displayName(user)}’s work?`}
        text="Tasks, comments, files and hours that were imported under this name become yours on this board. This cannot be undone."
        action="Claim work"
        look="primary"
        onConfirm={() => say(true)}
      />
    </div>
  )
}

/** All but the first, which the board itself asks about. */
export function OwnNames({ board }: { board: Board }) {
  const [, ...others] = useOwnNames(board).filter(({ isRefused }) => !isRefused)
  if (others.length === 0) return null
  return (
    <ul aria-label="Is it yours?" className="flex max-h-56 shrink-0 flex-col gap-2 overflow-y-auto">
      {others.map((name) => (
        <li key={name.user.id}>
          <NameQuestion boardId={board.id} {...name} />
        </li>
      ))}
    </ul>
  )
}

/** Names that the viewer said are not theirs: one line, in case they change their mind. */
export function RefusedNames({ board }: { board: Board }) {
  const [open, setOpen] = useState(false)
  const names = useOwnNames(board).filter(({ isRefused }) => isRefused)
  if (names.length === 0) return null
  return (
    <div className="flex shrink-0 flex-col gap-1">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-w-0 items-center gap-1 rounded-card py-1 text-left text-quiet text-small hover:text-text"
      >
        <ChevronRight className={`size-3.5 shrink-0 ${open ? 'rotate-90' : ''}`} aria-hidden />
        <span className="truncate">Not yours: {namesText(names.map(({ user }) => displayName(user)))}</span>
      </button>
      {open && (
        <ul aria-label="Not yours" className="flex max-h-40 flex-col overflow-y-auto pl-4.5">
          {names.map((name) => (
            <li key={name.user.id}>
              <NameQuestion boardId={board.id} {...name} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A question goes once it is answered; the focus moves to the popover around it, or to the board. */
async function focusAfter(place: HTMLElement | null, answering: Promise<unknown>): Promise<void> {
  const around = place?.closest<HTMLElement>('[data-popover]') ?? document.getElementById(BOARD_ID)
  const isAnswered = await answering
  const { activeElement: focused } = document
  const isLost = focused === document.body || place?.contains(focused)
  if (isAnswered && isLost) around?.focus({ preventScroll: true })
}

/** "3 tasks, 1,000+ comments, 4h 30m" */
function workText({ tasks, comments, minutes }: NonNullable<ImportedName['work']>): string {
  const counted = (count: number, one: string) =>
    count > 0 && (count < COUNTED_MAX ? countText(count, one) : `${numberText(count)}+ ${one}s`)
  return [counted(tasks, 'task'), counted(comments, 'comment'), minutes > 0 && durationText(minutes)].filter(Boolean).join(', ')
}

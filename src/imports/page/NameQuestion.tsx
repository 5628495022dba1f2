import { useRef, useState } from 'react'
import { BOARD_ID } from '../../tasks/page/useKeyboardMove'
import { displayName, type UserSummary } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { useAnswerName } from './names'

type Props = { boardId: number; name: UserSummary; isRefused: boolean; className?: string }

/** Nothing becomes anybody's unless they say so. */
export function NameQuestion({ boardId, name, isRefused, className = '' }: Props) {
  const [confirming, setConfirming] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const answer = useAnswerName(boardId, name)
  const say = async (isMine: boolean) => {
    setConfirming(false)
    const around = place.current?.closest<HTMLElement>('[data-popover]') ?? document.getElementById(BOARD_ID)
    const isAnswered = await answer.say(isMine)
    const { activeElement: focused } = document
    const isLost = focused === document.body || place.current?.contains(focused)
    if (isAnswered && isLost) around?.focus({ preventScroll: true })
  }
  return (
    <div ref={place} className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-column px-3 py-2 ${className}`}>
      <p className="wrap-anywhere min-w-0 flex-1 basis-48 text-pretty">
        {isRefused ? 'Not yours: imported work by ' : 'Imported work by '}
        <bdi className="font-strong">{displayName(name)}</bdi>
        {!isRefused && ': is it yours?'}
      </p>
      <div className="flex gap-2">
        <Button size="small" busy={answer.isPending} onClick={() => setConfirming(true)}>
          It is mine
        </Button>
        {!isRefused && (
          <Button size="small" look="quiet" disabled={answer.isPending} onClick={() => void say(false)}>
            Not mine
          </Button>
        )}
      </div>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={`Are you ${displayName(name)}?`}
        text="Tasks, comments, files and hours that were imported under this name become yours on this board. This cannot be undone."
        action="It is mine"
        look="primary"
        onConfirm={() => void say(true)}
      />
    </div>
  )
}

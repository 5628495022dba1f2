import { type ReactNode, useRef, useState } from 'react'
import { displayName } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { workText } from './display'
import { focusAfter } from './focusIfLost'
import { type OwnName, useAnswerName } from './names'

type Props = OwnName & { boardId: number; className?: string; children?: ReactNode }

const BOX = 'rounded-card bg-column px-3 py-2'

/** Nothing becomes anybody's unless they say so. */
export function NameQuestion({ boardId, user, work, isRefused, className = '', children }: Props) {
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
          It is mine
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
        title={`Are you ${displayName(user)}?`}
        text="Tasks, comments, files and hours that were imported under this name become yours on this board. This cannot be undone."
        action="It is mine"
        look="primary"
        onConfirm={() => say(true)}
      />
    </div>
  )
}

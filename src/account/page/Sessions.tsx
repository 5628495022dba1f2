import Bowser from 'bowser'
import { Monitor, Smartphone } from 'lucide-react'
import { dateTimeText } from '../../tasks/page/display'
import { Button } from '../../web/ui/Button'
import type { OpenSession, OperatorAct } from '../schema'
import { useEndOtherSessions, useEndSession } from './cache'
import { startedBy } from './OperatorActs'

export function Sessions({ sessions, acts }: { sessions: OpenSession[]; acts: OperatorAct[] }) {
  const endOthers = useEndOtherSessions()
  return (
    <>
      <ul className="flex flex-col gap-4">
        {sessions.map((session) => (
          <Row key={session.id} session={session} act={acts.find(({ id }) => id === session.operatorActId)} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button className="self-start" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          Sign Out Everywhere Else
        </Button>
      )}
    </>
  )
}

type RowProps = { session: OpenSession; act: OperatorAct | undefined }

function Row({ session: { id, current, userAgent, createdAt, lastSeenAt }, act }: RowProps) {
  const end = useEndSession()
  const { name, isPhone } = deviceOf(userAgent)
  const Icon = isPhone ? Smartphone : Monitor
  return (
    <li className="flex items-start gap-3">
      <Icon className="mt-0.5 size-4 shrink-0 text-quiet" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="break-words">
          {name}
          {current && <span className="ml-2 rounded-card bg-column px-1.5 py-0.5 text-quiet text-small">This browser</span>}
        </p>
        <p className="tabular text-quiet text-small">
          Signed in {dateTimeText(createdAt)}
          {!current && `, last seen ${dateTimeText(lastSeenAt)}`}
        </p>
        {act && <p className="wrap-anywhere text-danger text-small">{startedBy(act)}</p>}
      </div>
      {!current && (
        <Button size="small" busy={end.isPending} onClick={() => end.mutate(id)} aria-label={`Sign out ${name}`}>
          Sign Out
        </Button>
      )}
    </li>
  )
}

function deviceOf(userAgent: string | null): { name: string; isPhone: boolean } {
  if (!userAgent) return { name: 'An unnamed program', isPhone: false }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const known = [browser.name, os.name].filter(Boolean).join(' on ')
  return { name: known || userAgent.slice(0, 40), isPhone: platform.type === 'mobile' }
}

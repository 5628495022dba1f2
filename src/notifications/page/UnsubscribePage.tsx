import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useServerOptions } from '../../auth/page/cache'
import type { Switch } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { PublicFrame } from '../../web/ui/PublicFrame'

const MAILS: Record<Switch, string> = {
  emailNotifications: 'what happens on your boards',
  notifyTaskAssigned: 'task assignments',
  notifyTaskCommented: 'comments and mentions',
  notifyBoardUpdated: 'board updates',
  notifyTimeEntries: 'time entries',
}

/** Only after a click: mail scanners follow links too. */
export function UnsubscribePage() {
  const [{ token, from }] = useState(readAddress)
  const supportEmail = useServerOptions()?.supportEmail
  const end = useMutation({ mutationFn: (kind: Switch) => endMails(token, kind) })
  const [ended, setEnded] = useState<Switch | null>(null)
  const run = (kind: Switch) => end.mutate(kind, { onSuccess: () => setEnded(kind) })
  return (
    <PublicFrame supportEmail={supportEmail}>
      <title>Unsubscribe · wrk</title>
      <main className="flex max-w-[44ch] flex-col items-start gap-5 py-16 sm:py-24" aria-live="polite">
        <h1 className="text-balance font-strong text-display tracking-display">{ended ? 'Done.' : 'Fewer emails?'}</h1>
        <p className="text-quiet text-title">{ended ? `You won’t get any more emails about ${MAILS[ended]}.` : question(from)}</p>
        {end.isError && <p role="alert">{end.error.message}</p>}
        <div className="flex flex-wrap gap-2">
          {!ended && from !== 'emailNotifications' && (
            <Button look="primary" busy={end.isPending && end.variables === from} onClick={() => run(from)}>
              Unsubscribe
            </Button>
          )}
          {ended !== 'emailNotifications' && (
            <Button
              look={from === 'emailNotifications' && !ended ? 'primary' : undefined}
              busy={end.isPending && end.variables === 'emailNotifications'}
              onClick={() => run('emailNotifications')}
            >
              Unsubscribe from all
            </Button>
          )}
        </div>
        <p className="text-quiet">
          To choose which emails you get, open Notifications on your profile. You will still see everything in wrk.
        </p>
      </main>
    </PublicFrame>
  )
}

const question = (from: Switch) =>
  from === 'emailNotifications'
    ? `Stop all emails about ${MAILS[from]}.`
    : `Stop emails about ${MAILS[from]}, or all emails about your boards.`

function readAddress(): { token: string; from: Switch } {
  const given = new URLSearchParams(window.location.search)
  const from = (Object.keys(MAILS) as Switch[]).find((kind) => kind === given.get('from')) ?? 'emailNotifications'
  return { token: given.get('token') ?? '', from }
}

async function endMails(token: string, from: Switch): Promise<void> {
  const answer = await fetch(`/unsubscribe?${new URLSearchParams({ token, from })}`, { method: 'POST' }).catch(() => null)
  if (answer?.ok) return
  const { message } = ((await answer?.json().catch(() => null)) ?? {}) as { message?: string }
  throw new Error(message ?? 'That did not work. Please check your connection and try again.')
}

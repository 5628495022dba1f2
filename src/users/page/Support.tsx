import { CalendarDays } from 'lucide-react'
import { Button } from '../../web/ui/Button'
import { LoadFailed } from '../../web/ui/LoadFailed'
import type { OwnUser, SupportOptions } from '../schema'
import { useSupport } from './cache'

type Props = { user: OwnUser; onUpgrade(): void }

export function Support({ user, onUpgrade }: Props) {
  const { data, error, isError, refetch } = useSupport()
  if (isError && !data) return <LoadFailed retry={() => void refetch()} error={error} />
  if (!data) return <div className="h-60" aria-busy />
  return (
    <>
      <div className="flex flex-col gap-1">
        <h1 className="font-strong text-title">{user.isPro ? 'Priority Support' : 'Customer Support'}</h1>
        <p className="text-pretty text-quiet">
          {user.isPro ? 'Email us at ' : 'For help, email us at '}
          <a href={`mailto:${data.email}`} className="break-words font-strong text-text underline underline-offset-4">
            {data.email}
          </a>
          {user.isPro ? ': your messages come first.' : '. We reply within 72 hours.'}
        </p>
      </div>
      <div className="flex flex-col items-start gap-3 border-line border-t pt-6">
        <div className="flex flex-col gap-0.5">
          <h2 className="font-strong">Dedicated video help</h2>
          <p className="text-pretty text-quiet">{user.isPro ? 'Talk to us about your boards.' : 'Part of the Pro plan.'}</p>
        </div>
        <Booking isPro={user.isPro} options={data} onUpgrade={onUpgrade} />
      </div>
    </>
  )
}

function Booking({ isPro, options, onUpgrade }: { isPro: boolean; options: SupportOptions; onUpgrade(): void }) {
  if (isPro && options.bookingUrl)
    return (
      <Button asChild look="primary">
        <a href={options.bookingUrl} target="_blank" rel="noopener noreferrer">
          <CalendarDays className="size-4" aria-hidden />
          Book a Support Session
        </a>
      </Button>
    )
  return (
    <>
      <Button disabled aria-describedby="no-booking">
        <CalendarDays className="size-4" aria-hidden />
        {options.canBook ? 'Book a Support Session' : 'Booking is not set up'}
      </Button>
      <p id="no-booking" className="text-pretty text-quiet">
        {!options.canBook && 'No page to book at is set up on this server. '}
        {!isPro && (
          <button type="button" onClick={onUpgrade} className="rounded-card font-strong text-text underline underline-offset-4">
            Upgrade to Pro
          </button>
        )}
      </p>
    </>
  )
}

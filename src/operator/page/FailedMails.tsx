import { dateTimeText } from '../../tasks/page/display'
import { client } from '../../web/client'
import { Button } from '../../web/ui/Button'
import type { FailedMail } from '../schema'
import { useOperate } from './cache'
import { Listing, RowText } from './Listing'

export function FailedMails({ count }: { count: number }) {
  const retryAll = useOperate(() => client.operator.retryMails.mutate(), again)
  return (
    <>
      <p className="text-pretty text-quiet">
        After five tries within an hour a mail is given up. For a day it can be sent again.
      </p>
      {count > 0 && (
        <Button className="self-start" busy={retryAll.isPending} onClick={() => retryAll.mutate(undefined)}>
          Send All Again
        </Button>
      )}
      <Listing name="mails" empty="None has failed." read={(given) => client.operator.mails.query(given)}>
        {(mail) => <Row mail={mail} />}
      </Listing>
    </>
  )
}

function Row({ mail: { id, to, error, createdAt, mayRetry } }: { mail: FailedMail }) {
  const retry = useOperate(() => client.operator.retryMail.mutate({ mailId: id }), again)
  return (
    <>
      <RowText title={to} text={error ?? 'It is not known why.'} />
      <p className="tabular basis-44 text-quiet text-small max-sm:grow">{dateTimeText(createdAt)}</p>
      <Button
        size="small"
        disabled={!mayRetry}
        busy={retry.isPending}
        onClick={() => retry.mutate(undefined)}
        aria-label={`Send again: the mail to ${to}`}
      >
        Send again
      </Button>
    </>
  )
}

const again = ({ mails }: { mails: number }) => ({
  title: mails === 1 ? 'The Mail Is Sent Again' : `${mails} Mails Are Sent Again`,
})

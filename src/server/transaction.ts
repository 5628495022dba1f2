import type { Db } from '../db/client'
import type { Services } from './context'
import type { MessageOutbox } from './live/messageOutbox'
import { type Fate, type Mail, writeMail } from './mail/store'

/** `sweep` deletes unwanted files right after the commit. */
export type TransactionContext = {
  db: Db
  outbox: MessageOutbox
  mail(mail: Mail, fate?: Fate): Promise<void>
  sweep(): void
}

/**
 * Live messages and mails leave after the commit, or never. Procedures use `mutation`, unless they do something slow first.
 */
export async function inTransaction<T>(
  { db, hub, mailer, sweeper }: Services,
  work: (transaction: TransactionContext) => Promise<T>,
): Promise<T> {
  const outbox = hub.outbox()
  let mailed = false
  let swept = false
  try {
    const result = await db.transaction((transaction) => {
      const mail = (mail: Mail, fate?: Fate) => {
        mailed = true
        return writeMail(transaction, mail, fate)
      }
      const sweep = () => {
        swept = true
      }
      return work({ db: transaction, outbox, mail, sweep })
    })
    await outbox.send()
    if (mailed) mailer.wake()
    if (swept) sweeper.wake()
    return result
  } finally {
    outbox.end()
  }
}

import type { Db } from '../db/client'
import type { Services } from './context'
import type { MessageOutbox } from './live/messageOutbox'
import { type Fate, type Mail, writeMail } from './mail/store'

/** What a transaction has: `mail` writes a mail with its cause; after `sweep`, the files of what it deletes go at once. */
export type TransactionContext = {
  db: Db
  outbox: MessageOutbox
  mail(mail: Mail, fate?: Fate): Promise<void>
  sweep(): void
}

/**
 * Runs `work` in one transaction; its live messages and mails leave after the commit, or never. `mutation` calls it; only
 * procedures that do something slow first, such as hashing, call it themselves.
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

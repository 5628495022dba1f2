import type { Db } from '../db/database'
import type { Services } from './context'
import type { MessageOutbox } from './live/messageOutbox'
import { type Delivery, type Mail, writeMail } from './mail/store'

export type TransactionContext = {
  db: Db
  outbox: MessageOutbox
  mail(mail: Mail, delivery?: Delivery): Promise<void>
  sweep(): void
}

/**
 * Messages and mails leave after the commit, or never. Procedures use `mutation` unless they do something slow first. Throws
 * INSUFFICIENT_STORAGE.
 */
export async function inTransaction<T>(
  { db, hub, mailer, sweeper, room }: Services,
  work: (transaction: TransactionContext) => Promise<T>,
  kind?: 'deletes',
): Promise<T> {
  room.assertChange(kind)
  const outbox = hub.outbox()
  let hasMail = false
  let hasFiles = false
  try {
    const result = await db.transaction((transaction) => {
      const mail = (mail: Mail, delivery?: Delivery) => {
        hasMail = true
        return writeMail(transaction, mail, delivery)
      }
      const sweep = () => {
        hasFiles = true
      }
      return work({ db: transaction, outbox, mail, sweep })
    })
    await outbox.send()
    if (hasMail) mailer.sendSoon()
    if (hasFiles) sweeper.sweepSoon()
    return result
  } finally {
    outbox.end()
  }
}

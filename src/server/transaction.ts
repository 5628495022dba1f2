import type { Db } from '../db/database'
import { log } from '../log'
import { networkOf } from './address'
import { createUserQueues } from './concurrency'
import type { Context, Services } from './context'
import type { KeyedContext } from './idempotency/key'
import { answerOnce } from './idempotency/once'
import type { MessageOutbox } from './live/messageOutbox'
import { type Delivery, type Mail, writeMail } from './mail/store'

export type TransactionContext = {
  db: Db
  outbox: MessageOutbox
  mail(mail: Mail, delivery?: Delivery): Promise<void>
  sweep(): void
  /** Once it is done; `mail` does so by itself. */
  sendMails(): void
  /** A line of the log once this is stored. */
  logOnCommit(line: string): void
}

/** A transaction holds a connection while it waits for its board; one caller must not take them all. */
const enqueue = createUserQueues(4)

export const inTurn = <T>({ session, address }: Pick<Context, 'session' | 'address'>, work: () => Promise<T>): Promise<T> =>
  enqueue(session?.user.id ?? networkOf(address()), work)

/** For a call. Procedures use `mutation` unless they do something slow first. Throws INSUFFICIENT_STORAGE. */
export const inTransaction = <T>(
  ctx: Context,
  work: (transaction: TransactionContext) => Promise<T>,
  kind?: 'deletes',
): Promise<T> => inTurn(ctx, () => runTransaction(ctx.services, work, kind))

/** As `inTransaction`, for who is signed in: repeated under its Idempotency-Key it happens once. Resolves to the whole answer. */
export const once = <T>(
  ctx: Context & KeyedContext,
  work: (transaction: TransactionContext) => Promise<T>,
  kind?: 'deletes',
): Promise<T> => inTransaction(ctx, (transaction) => answerOnce(ctx, transaction.db, () => work(transaction)), kind)

/** Without a caller. Messages and mails leave after the commit, or never. */
export async function runTransaction<T>(
  { db, hub, mailer, sweeper, room }: Services,
  work: (transaction: TransactionContext) => Promise<T>,
  kind?: 'deletes',
): Promise<T> {
  room.assertChange(kind)
  const outbox = hub.outbox()
  let hasMail = false
  let hasFiles = false
  const lines: string[] = []
  const result = await db.transaction(async (transaction) => {
    const sendMails = () => {
      hasMail = true
    }
    const mail = (mail: Mail, delivery?: Delivery) => {
      sendMails()
      return writeMail(transaction, mail, delivery)
    }
    const sweep = () => {
      hasFiles = true
    }
    const logOnCommit = (line: string) => void lines.push(line)
    const worked = await work({ db: transaction, outbox, mail, sweep, sendMails, logOnCommit })
    await outbox.write(transaction)
    return worked
  })
  await outbox.send()
  if (hasMail) mailer.sendSoon()
  if (hasFiles) sweeper.sweepSoon()
  for (const line of lines) log.warn(line)
  return result
}

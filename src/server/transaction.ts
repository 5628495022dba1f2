import type { Db } from '../db/database'
import { log } from '../log'
import { networkOf } from './clientAddress'
import { createUserQueues } from './concurrency'
import type { Context, Services } from './context'
import { type KeyedContext, onceInTransaction, runOrRepeatIfRefused } from './idempotency.store'
import type { MessageOutbox } from './live/messageOutbox'
import { type Delivery, type Mail, writeMail } from './mail/store'

export type TransactionContext = {
  db: Db
  outbox: MessageOutbox
  mail(mail: Mail, delivery?: Delivery): Promise<void>
  sweep(): void
  /** After the commit; `mail` calls it itself. */
  sendMails(): void
  /** Logs a line after the commit. */
  logOnCommit(line: string): void
}

/** `deletes` passes a nearly full disk and the account's quota, `unmetered` the quota, `restores` a slightly exceeded one. */
export type TransactionKind = 'deletes' | 'restores' | 'unmetered'

/** A transaction holds a connection while waiting for its board; one caller must not take them all. */
const enqueue = createUserQueues(4)

export const queuePerCaller = <T>(
  { session, address }: Pick<Context, 'session' | 'address'>,
  work: () => Promise<T>,
): Promise<T> => enqueue(session?.user.id ?? networkOf(address), work)

/** Procedures use `mutation` unless they do something slow first. Throws INSUFFICIENT_STORAGE. */
export const inTransaction = <T>(
  ctx: Context,
  work: (transaction: TransactionContext) => Promise<T>,
  kind?: TransactionKind,
): Promise<T> => queuePerCaller(ctx, () => runTransaction(ctx.services, work, kind, ctx.session?.user.id))

/** What a change adds besides its input: history, notifications, the stored answer. The total is measured now and then. */
export const CHANGE_BYTES = 2_048

/** Like `inTransaction`, within the viewer's quota, and once per Idempotency-Key: `work` must return the whole answer. */
export function once<T>(
  ctx: Context & KeyedContext,
  work: (transaction: TransactionContext) => Promise<T>,
  kind?: TransactionKind,
): Promise<T> {
  const change = () => inTransaction(ctx, (transaction) => onceInTransaction(ctx, transaction.db, () => work(transaction)), kind)
  if (kind === 'deletes' || kind === 'unmetered') return change()
  const { services, viewer, bodyBytes } = ctx
  const how = kind === 'restores' ? 'restoring' : 'storing'
  return runOrRepeatIfRefused(ctx, () => services.accountQuota[how](viewer.id, CHANGE_BYTES + bodyBytes, change))
}

/** Without a caller. Messages and emails leave after the commit, or never. */
export async function runTransaction<T>(
  { db, hub, mailer, sweeper, diskGuard }: Services,
  work: (transaction: TransactionContext) => Promise<T>,
  kind?: TransactionKind,
  causedBy?: number,
): Promise<T> {
  diskGuard.assertChange(kind === 'deletes' ? kind : undefined)
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
      return writeMail(transaction, mail, delivery, causedBy)
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

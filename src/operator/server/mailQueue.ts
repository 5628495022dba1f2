import type { Db } from '../../db/database'
import { conflict, notFound } from '../../server/errors'
import { failedMails, retryMails } from '../../server/mail/store'
import { LISTED_AT_MOST, type List } from '../schema'
import type { OperatorReadGrant } from './grants'
import { LARGEST_ID, partOf } from './lookup'
import { logDone, type Operating } from './operating'

export async function listFailedMails(db: Db, _: OperatorReadGrant, { cursor = LARGEST_ID }: List) {
  const found = await failedMails(db, cursor, LISTED_AT_MOST + 1)
  return partOf(found.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })))
}

/** All whose text is still there, or the one that is named. Throws NOT_FOUND. */
export async function retryFailed(ctx: Operating, mailId?: number): Promise<number> {
  const mails = await retryMails(ctx.db, mailId)
  if (mailId !== undefined && mails === 0) throw notFound('There is no such mail that can be sent again.')
  if (mails === 0) throw conflict('There is no mail that can be sent again.')
  ctx.sendMails()
  logDone(ctx, mailId === undefined ? `has ${mails} mails sent again` : `has mail ${mailId} sent again`)
  return mails
}

import type { Db } from '../db/client'
import { mails } from '../db/schema'

/** A mail to one address, in both forms. */
export type Mail = { to: string; subject: string; text: string; html: string }

/** Writes a mail in the transaction of its cause; it is sent after the commit. */
export async function writeMail(db: Db, { to, ...mail }: Mail): Promise<void> {
  await db.insert(mails).values({ recipient: to, ...mail })
}

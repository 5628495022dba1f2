import type { Context } from '../../server/context'
import type { Delivery } from '../../server/mail/store'
import type { TransactionContext } from '../../server/transaction'
import type { LinkPurpose } from '../schema'
import { noteAsking } from './askingBrowser'
import { linkMail } from './mails'
import { createLink } from './store'

type Wanted = { email: string; purpose: Exclude<LinkPurpose, 'change'>; remember: boolean; delivery: Delivery }

export async function mailLink(
  ctx: Context,
  { db, mail }: TransactionContext,
  { email, purpose, remember, delivery }: Wanted,
): Promise<void> {
  const token = await createLink(db, email, purpose, { askedBy: noteAsking(ctx) })
  const link = `${ctx.services.origin()}/auth/verify?token=${token}${remember ? '&remember=1' : ''}`
  await mail(linkMail(email, purpose, link), delivery)
}

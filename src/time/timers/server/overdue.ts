import type { Services } from '../../../server/context'
import { runTransaction } from '../../../server/transaction'
import { overdueMail } from './mails'
import { claimOverdue } from './store'

export const mailOverdueTimers = (services: Services): Promise<void> =>
  runTransaction(services, async ({ db, mail }) => {
    for (const timer of await claimOverdue(db)) await mail(overdueMail(services.origin(), timer))
  })

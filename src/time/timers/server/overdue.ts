import { commit, type Parts } from '../../../server/trpc'
import { overdueMail } from './mails'
import { claimOverdue } from './store'

/** Asks by mail, once, whoever has a timer run for so long that they may have forgotten it. */
export const askOverdue = (parts: Parts): Promise<void> =>
  commit(parts, async ({ db, mail }) => {
    for (const timer of await claimOverdue(db)) await mail(overdueMail(parts.origin(), timer))
  })

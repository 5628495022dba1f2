import type { Services } from '../../server/context'
import { notFound } from '../../server/errors'
import { runTransaction } from '../../server/transaction'
import { grantCommand } from './grants'
import { findUserId } from './lookup'
import type { Operating } from './operating'

/** What operators do on their page, for whoever may run commands on the server. */
export const byCommand = <T>(services: Services, work: (ctx: Operating) => Promise<T>, kind?: 'deletes'): Promise<T> =>
  runTransaction(
    services,
    async (transaction) => work({ ...transaction, services, grant: await grantCommand(transaction.db) }),
    kind,
  )

/** By number, username or email. Throws NOT_FOUND. */
export async function userNamed({ db }: Pick<Operating, 'db'>, name: string): Promise<number> {
  const userId = await findUserId(db, name)
  if (userId === undefined) throw notFound(`nobody has the number, username or email "${name}"`)
  return userId
}

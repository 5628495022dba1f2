import type { Services } from '../../server/context'
import type { TransactionContext } from '../../server/transaction'
import type { OperatorGrant } from './grants'

/** What every change by an operator has, on the page and by a command. */
export type Operating = TransactionContext & { services: Services; grant: OperatorGrant }

/** Usernames and numbers only: what people wrote could forge lines of the log. */
export function logDone({ logOnCommit, grant: { viewer } }: Operating, did: string): void {
  logOnCommit(`operator ${viewer ? `${viewer.username} (${viewer.id})` : 'by command'}: ${did}`)
}

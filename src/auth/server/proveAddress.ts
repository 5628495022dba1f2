import type { TransactionContext } from '../../server/transaction'
import { announceAccount } from '../../users/server/announceProfile'
import type { AddressGrant } from './grants'
import { markEmailVerified } from './store'

export async function proveAddress({ db, outbox }: TransactionContext, grant: AddressGrant): Promise<void> {
  const proven = await markEmailVerified(db, grant)
  if (proven) announceAccount(outbox, proven)
}

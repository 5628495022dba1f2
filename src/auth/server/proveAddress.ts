import type { Services } from '../../server/context'
import type { TransactionContext } from '../../server/transaction'
import { announceAccount } from '../../users/server/announceProfile'
import type { AddressGrant } from './grants'
import { markEmailVerified } from './store'

type ProofContext = Pick<TransactionContext, 'db' | 'outbox'> & { services: Services }

export async function proveAddress({ db, outbox, services }: ProofContext, grant: AddressGrant): Promise<void> {
  const proven = await markEmailVerified(db, services.config, grant)
  if (proven) announceAccount(outbox, proven)
}

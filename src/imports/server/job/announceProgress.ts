import { toUsers } from '../../../server/live/hub'
import type { TransactionContext } from '../../../server/transaction'
import { type ProgressRow, toProgress } from '../lookup'
import type { Held } from './lease/store'

/** Whoever imports hears how far it is, once that is stored. */
export const announceProgress = ({ outbox }: Pick<TransactionContext, 'outbox'>, { userId }: Held, row: ProgressRow): void =>
  outbox.push(toUsers([userId], { type: 'import_changed', to: 'user', payload: { import: toProgress(row) } }))

import { FREE_LIMIT } from '../../boards/schema'
import { mayHaveAnotherBoard } from '../../boards/server/lookup'
import type { Db } from '../../db/database'
import { done } from '../../schema'
import { conflict, forbidden } from '../../server/errors'
import type { SignedIn } from '../../server/signedIn'
import type { BoardImport, StartInput } from '../schema'
import { grantChangingImport } from './grants'
import { toImport } from './lookup'
import { deleteImport, startImport } from './store'

/** Of one that is ready, or failed. Throws NOT_FOUND, FORBIDDEN, CONFLICT. */
export async function start(db: Db, viewer: SignedIn, { importId, choices }: StartInput): Promise<BoardImport> {
  const mayHaveBoard = await mayHaveAnotherBoard(db, viewer)
  const grant = await grantChangingImport(db, viewer, importId)
  if (grant.row.state !== 'ready' && grant.row.state !== 'failed') throw conflict('This import was started already.')
  if (!mayHaveBoard) throw forbidden(FREE_LIMIT, { requiresUpgrade: true })
  return toImport(await startImport(db, grant, choices))
}

/** Throws NOT_FOUND. */
export async function cancel(db: Db, viewer: SignedIn, importId: number) {
  await deleteImport(db, await grantChangingImport(db, viewer, importId))
  return done
}

import { eq } from 'drizzle-orm'
import { bumpVersion, moveWork } from '../../../../boards/server/store'
import type { Db } from '../../../../db/database'
import { users } from '../../../../db/schema'
import type { MoveGrant } from '../grants'

/** Much more would keep everybody else on the embedded database waiting. */
const MOVED_AT_ONCE = 2_000

/**
 * Some of what bears a name becomes theirs; true once all does, with which the name goes, its membership, and what its owner has
 * already. A version of it is never announced, so that open pages read again.
 */
export async function moveSome(db: Db, grant: MoveGrant): Promise<boolean> {
  await bumpVersion(db, grant)
  const move = { boardId: grant.board.id, from: grant.nameId, to: grant.viewer.id }
  if ((await moveWork(db, move, { most: MOVED_AT_ONCE })) >= MOVED_AT_ONCE) return false
  await db.delete(users).where(eq(users.id, grant.nameId))
  return true
}

import { type BoardGrant, grantBoardReading } from '../../../boards/server/grants'
import { createUserQueues } from '../../../server/concurrency'
import type { Services } from '../../../server/context'
import type { SignedIn } from '../../../server/signedIn'
import type { CachedSnapshot } from '../snapshotCache'

/** Making one holds a connection. */
const enqueue = createUserQueues(4)

type OpenSnapshot = { grant: BoardGrant<'read'>; snapshot: CachedSnapshot }

/** Throws NOT_FOUND to non-members. */
export const openSnapshot = ({ db, snapshots }: Services, viewer: SignedIn, boardId: number): Promise<OpenSnapshot> =>
  enqueue(viewer.id, async () => {
    const grant = await grantBoardReading(db, viewer, boardId)
    return { grant, snapshot: await snapshots(db, grant) }
  })

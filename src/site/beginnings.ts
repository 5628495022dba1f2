import { listBoards } from '../boards/server/store'
import { type Context, createContext, type Services } from '../server/context'
import { countCall } from '../server/rateLimits'
import { requireSignedIn, type SignedIn } from '../server/signedIn'
import { beginningOf } from '../tasks/server/snapshot/beginning'
import { openSnapshot } from '../tasks/server/snapshot/open'
import { boardAt } from './firstScripts'
import type { BoardBeginning, DashboardBeginning } from './skeletons'

/** What the HTML of a page shows of what its viewer may read. */
export type Beginning = { dashboard: DashboardBeginning } | { board: BoardBeginning }

/** A page that is slow to begin comes without. */
const PATIENCE_MS = 1_000

export async function dashboardBeginning(services: Services, { session }: Context): Promise<Beginning | undefined> {
  return inTime(async () => {
    const viewer = await counted(services, session)
    const boards = await listBoards(services.db, viewer)
    return boards.length > 0 ? { dashboard: { user: viewer, boards } } : undefined
  })
}

/** Undefined also for whoever may not see the board: the app tells them so. */
export async function boardBeginning(services: Services, request: Request, headers: Headers): Promise<Beginning | undefined> {
  const boardId = boardAt(new URL(request.url).pathname)
  if (boardId === undefined) return undefined
  return inTime(async () => {
    const { session } = await createContext(services, request, { headers, params: { boardId } })
    const viewer = await counted(services, session)
    return { board: await beginningOf(await openSnapshot(services, viewer, Number(boardId))) }
  })
}

async function counted(services: Services, session: Context['session']): Promise<SignedIn> {
  const viewer = requireSignedIn(session)
  await countCall(services, session)
  return viewer
}

const inTime = (read: () => Promise<Beginning | undefined>): Promise<Beginning | undefined> =>
  Promise.race([read().catch(() => undefined), Bun.sleep(PATIENCE_MS).then(() => undefined)])

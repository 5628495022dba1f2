import { isLocked } from '../access'
import { firstWeekday } from '../basics'
import { type Context, createContext, type Services } from '../server/context'
import { countCall } from '../server/rateLimits'
import { requireSignedIn, type SignedIn } from '../server/signedIn'
import { firstTasksOf, openSnapshot } from '../tasks/server/snapshotCache'
import { listTimers } from '../time/server/timers.store'
import { whose } from '../today/schema'
import { dayAround, readToday } from '../today/server/store'
import { boardAt } from './addresses'
import type { Beginning } from './render'

/** A page that is slow to begin comes without. */
const PATIENCE_MS = 1_000

/** `zone` is where the viewer is, as far as their browser has said. */
export async function dashboardBeginning(
  services: Services,
  request: Request,
  { session, language }: Context,
  zone: string | undefined,
): Promise<Beginning | undefined> {
  return inTime(async () => {
    const viewer = await counted(services, session)
    const { timeZone } = whose.catch({ timeZone: 'UTC' }).parse({ timeZone: zone })
    const [today, timers] = await Promise.all([
      readToday(services.db, viewer, dayAround(new Date(), timeZone), firstWeekday(viewer.weekStartsOn, language)),
      listTimers(services.db, viewer),
    ])
    const hasTimer = timers.some(({ status }) => status === 'ACTIVE')
    const hasPaid = new URL(request.url).searchParams.has('payment_success')
    return { dashboard: { user: viewer, today, hasTimer, hasPaid }, unconfirmed: unconfirmedOf(services, viewer) }
  })
}

/** Undefined also for whoever may not see the board: the app tells them so. */
export async function boardBeginning(services: Services, request: Request, headers: Headers): Promise<Beginning | undefined> {
  const boardId = boardAt(new URL(request.url).pathname)
  if (boardId === undefined) return undefined
  return inTime(async () => {
    const { session } = await createContext(services, request, { headers, params: { boardId } })
    const viewer = await counted(services, session)
    const { grant, snapshot } = await openSnapshot(services, viewer, Number(boardId))
    const board = firstTasksOf(snapshot)
    return { board, locked: isLocked(viewer, grant.board), unconfirmed: unconfirmedOf(services, viewer) }
  })
}

/** Without mailed links only the provider can confirm it. */
const unconfirmedOf = ({ config }: Services, { email, emailVerified }: SignedIn) =>
  emailVerified || config.onlyOidc ? undefined : email

async function counted(services: Services, session: Context['session']): Promise<SignedIn> {
  const viewer = requireSignedIn(session)
  await countCall(services, session)
  return viewer
}

const inTime = (read: () => Promise<Beginning | undefined>): Promise<Beginning | undefined> =>
  Promise.race([read().catch(() => undefined), Bun.sleep(PATIENCE_MS).then(() => undefined)])

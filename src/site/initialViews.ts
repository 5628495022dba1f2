import { isLocked } from '../access'
import { firstWeekday } from '../days'
import { withTimeout } from '../promises'
import { type Context, createContext, type Services } from '../server/context'
import { countedSession } from '../server/rateLimits'
import type { SignedIn } from '../server/signedIn'
import { firstTasksOf, openSnapshot } from '../tasks/server/snapshotCache'
import { listTimers } from '../time/server/timers.store'
import { whose } from '../today/schema'
import { dayAround, readToday } from '../today/server/store'
import { boardAt } from './paths'
import type { InitialView } from './render'

/** A document whose data takes longer is sent without it. */
const PATIENCE_MS = 1_000

/** What the dashboard's document shows before the app loads. `zone` is the viewer's time zone, if their browser has sent it. */
export async function initialDashboard(
  services: Services,
  request: Request,
  { session, language }: Context,
  zone: string | undefined,
): Promise<InitialView | undefined> {
  return unlessLate(async () => {
    const { user: viewer } = await countedSession(services, session)
    const { timeZone } = whose.catch({ timeZone: 'UTC' }).parse({ timeZone: zone })
    const [today, timers] = await Promise.all([
      readToday(services.db, viewer, dayAround(new Date(), timeZone), firstWeekday(viewer.weekStartsOn, language)),
      listTimers(services.db, viewer),
    ])
    const hasTimer = timers.some(({ status }) => status === 'ACTIVE')
    const hasPaid = new URL(request.url).searchParams.has('payment_success')
    const { hasPlans } = services.config
    return { dashboard: { user: viewer, today, hasTimer, hasPaid, hasPlans }, unconfirmed: unconfirmedOf(services, viewer) }
  })
}

/** The same for a board. Undefined for users who may not see it: the app tells them. */
export async function initialBoard(services: Services, request: Request, headers: Headers): Promise<InitialView | undefined> {
  const boardId = boardAt(new URL(request.url).pathname)
  if (boardId === undefined) return undefined
  return unlessLate(async () => {
    const { session } = await createContext(services, request, { headers })
    const { user: viewer } = await countedSession(services, session)
    const { grant, snapshot } = await openSnapshot(services, viewer, Number(boardId))
    const board = firstTasksOf(snapshot)
    return { board, locked: isLocked(viewer, grant.board), unconfirmed: unconfirmedOf(services, viewer) }
  })
}

/** Without mailed links only the provider can confirm it. */
const unconfirmedOf = ({ config }: Services, { email, emailVerified }: SignedIn) =>
  emailVerified || config.onlyOidc ? undefined : email

const unlessLate = (read: () => Promise<InitialView | undefined>): Promise<InitialView | undefined> =>
  withTimeout(PATIENCE_MS, read(), () => new Error('late')).catch(() => undefined)

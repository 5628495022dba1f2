import { z } from 'zod'
import { accountDomain } from '../account/server/router'
import { activityDomain } from '../activity/server/router'
import { archiveRoutes } from '../archive/server/routes'
import { attachmentsDomain } from '../attachments/server/router'
import { authDomain } from '../auth/server/router'
import { billingDomain } from '../billing/server/router'
import { boardStartersDomain } from '../boardStarters/server/router'
import { boardsDomain } from '../boards/server/router'
import { commentsDomain } from '../comments/server/router'
import { finderDomain } from '../finder/server/router'
import { importsDomain } from '../imports/server/router'
import { invitationsDomain } from '../invitations/server/router'
import { notificationsDomain } from '../notifications/server/router'
import { operatorDomain } from '../operator/server/router'
import { success } from '../schema'
import { clientMessage, type MessageHandler } from '../server/live/clientMessages'
import { sendTo } from '../server/live/openSockets'
import type { RestCall } from '../server/rest'
import type { RawRoute } from '../server/routes'
import { router } from '../server/trpc'
import { tasksDomain } from '../tasks/server/router'
import { timeDomain } from '../time/server/router'
import { todayDomain } from '../today/server/router'
import { usersDomain } from '../users/server/router'

type Domain = {
  rest: RestCall[]
  routes?: RawRoute[]
  /** Messages that sockets may send. */
  clientMessages?: Record<string, MessageHandler>
  /** Shapes that the API description names. */
  shapes?: Record<string, z.ZodType>
}

/** All domains, in the order of the API description. */
const domains = {
  auth: authDomain,
  account: accountDomain,
  users: usersDomain,
  billing: billingDomain,
  boards: boardsDomain,
  boardStarters: boardStartersDomain,
  activity: activityDomain,
  finder: finderDomain,
  imports: importsDomain,
  invitations: invitationsDomain,
  today: todayDomain,
  tasks: tasksDomain,
  comments: commentsDomain,
  notifications: notificationsDomain,
  operator: operatorDomain,
  attachments: attachmentsDomain,
  time: timeDomain,
}
const all: Domain[] = Object.values(domains)

type Routers = { [Name in keyof typeof domains]: (typeof domains)[Name]['router'] }
const routers = Object.fromEntries(Object.entries(domains).map(([name, { router }]) => [name, router])) as Routers

export const appRouter = router(routers)

declare module '../protocol' {
  interface Api {
    router: typeof appRouter
  }
}

export const calls = all.flatMap(({ rest }) => rest)
export const rawRoutes = [...all.flatMap(({ routes = [] }) => routes), ...archiveRoutes]

const ping = clientMessage(z.object({}), ({ socket }) => {
  sendTo(socket, { type: 'pong', payload: {} })
})

export const clientMessages = merged({ ping }, ...all.map((domain) => domain.clientMessages))

export const shapes = merged<z.ZodType>({ Success: success }, ...all.map((domain) => domain.shapes))

/** Throws if two domains use the same name. */
function merged<One>(...parts: (Record<string, One> | undefined)[]): Record<string, One> {
  const entries = parts.flatMap((part) => Object.entries(part ?? {}))
  const whole = Object.fromEntries(entries)
  if (Object.keys(whole).length < entries.length) throw new Error('two domains use one name')
  return whole
}

import { lazy as lazyRouter } from '@trpc/server'
import type { z } from 'zod'
import { lazy } from '../schema'
import { mergeRouters, router } from '../server/trpc'

/** Each domain's is loaded when one of its procedures is first called, for loading all takes a quarter of a start. */
export const appRouter = router({
  account: lazyRouter(() => import('../account/server/router')),
  activity: lazyRouter(() => import('../activity/server/router')),
  attachments: lazyRouter(() => import('../attachments/server/router')),
  auth: lazyRouter(() => import('../auth/server/router')),
  billing: lazyRouter(() => import('../billing/server/router')),
  boards: lazyRouter(() => import('../boards/server/router')),
  comments: lazyRouter(() => import('../comments/server/router')),
  boardStarters: lazyRouter(() => import('../boardStarters/server/router')),
  finder: lazyRouter(() => import('../finder/server/router')),
  imports: lazyRouter(() => import('../imports/server/router')),
  invitations: lazyRouter(() => import('../invitations/server/router')),
  notifications: lazyRouter(() => import('../notifications/server/router')),
  operator: lazyRouter(() => import('../operator/server/router')),
  tasks: lazyRouter(() => import('../tasks/server/router')),
  time: lazyRouter(async () => {
    const { entriesRouter } = await import('../time/entries/server/router')
    const { timersRouter } = await import('../time/timers/server/router')
    const { mineRouter } = await import('../time/mine/server/router')
    const { ratesRouter } = await import('../time/rates/server/router')
    const { reportRouter } = await import('../time/report/server/router')
    const { exportRouter } = await import('../time/export/server/router')
    return mergeRouters(entriesRouter, timersRouter, mineRouter, ratesRouter, reportRouter, exportRouter)
  }),
  today: lazyRouter(() => import('../today/server/router')),
  users: lazyRouter(() => import('../users/server/router')),
})
export type AppRouter = typeof appRouter

/** What the router's own types hide. */
type Procedure = { _def: { type: 'query' | 'mutation'; inputs: z.ZodType[]; meta?: { needsSession?: true; matches?: true } } }
export type Procedures = Record<string, Procedure>

/** To load each domain of which nothing was called yet. */
export const domainLoaders = () => Object.values(appRouter._def.lazy).map(({ load }) => load)

/** All of them, by name. */
export const loadProcedures = lazy(async (): Promise<Procedures> => {
  for (const load of domainLoaders()) await load()
  return appRouter._def.procedures as unknown as Procedures
})

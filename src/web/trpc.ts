import type { TRPCClient } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { callsOf, client, type Untyped } from './calls'
import { queryClient } from './queryClient'

const queries = createTRPCOptionsProxy<AnyTRPCRouter>({ client, queryClient }) as Untyped

type Api<Router extends AnyTRPCRouter> = TRPCClient<Router> & TRPCOptionsProxy<Router>

/** The procedures of one domain's router: `api.create.mutate(…)` calls one, `api.list.queryOptions()` makes a query of it. */
export function apiOf<Router extends AnyTRPCRouter>(domain: string): Api<Router> {
  const calls = callsOf(domain) as unknown as Untyped[string]
  const procedure = (name: string) =>
    new Proxy({}, { get: (_, verb: string) => (isCall(verb) ? calls : queries[domain])?.[name]?.[verb] })
  return new Proxy({}, { get: (_, name: string) => procedure(name) }) as Api<Router>
}

const isCall = (verb: string) => verb === 'query' || verb === 'mutate'

import type { AnyRouter, inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { z } from 'zod'

/** A documented REST call over a procedure, whose input names the parameters of its path. */
export type RestCall = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  procedure: string
  summary: string
  response: z.ZodType
  status: number
  operationId: string
  /** Statuses of refusals that do not follow from what it takes. */
  refuses: number[]
}

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type Keys<Input> = Input extends object ? keyof Input : never

/** Compiles only if the response schema is what the procedure returns and its input has the path's parameters. */
export function restCalls<Router extends AnyRouter>(domain: string) {
  type Inputs = inferRouterInputs<Router>
  type Outputs = inferRouterOutputs<Router>
  const line =
    (method: RestCall['method'], status = 200) =>
    <Name extends keyof Outputs & keyof Inputs & string, Path extends `/api/${string}`, Schema extends z.ZodType>(
      path: Parameters<Path> extends Keys<Inputs[Name]> ? Path : `not in the input of ${Name}`,
      name: Name,
      summary: string,
      response: Same<z.output<Schema>, Outputs[Name]> extends true ? Schema : { returns: Outputs[Name] },
      { operationId = `${domain}.${name}`, refuses = [] }: Partial<Pick<RestCall, 'operationId' | 'refuses'>> = {},
    ): RestCall => ({
      method,
      path,
      procedure: `${domain}.${name}`,
      summary,
      // The type of the parameter is the check; where it holds, this is the schema.
      response: response as z.ZodType,
      status,
      operationId,
      refuses,
    })
  return { get: line('GET'), post: line('POST'), create: line('POST', 201), patch: line('PATCH'), remove: line('DELETE') }
}

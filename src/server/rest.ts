import type { AnyProcedure, AnyTRPCRootTypes, inferRouterInputs, inferRouterOutputs, TRPCBuiltRouter } from '@trpc/server'
import { z } from 'zod'
import type { Meta } from './trpc'

/** A call as the API description shows it. */
export type DescribedCall = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  operationId: string
  summary: string
  inputs: z.ZodType[]
  response: z.ZodType | null
  status: number
  needsSession: boolean
  /** Whether it counts toward the rate limit. */
  isCounted: boolean
  matches: boolean
  refuses: number[]
  takesFile?: string
  mayTakeFile?: string
  /** The body is a file; other input is in the query. */
  takesBytes?: true
}

export type RestCall = DescribedCall & { procedure: string; response: z.ZodType }

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type Keys<Input> = Input extends object ? keyof Input : never

/** Compiles only if the response schema is what the procedure returns and its input has the path's parameters. */
export function restCalls<Root extends AnyTRPCRootTypes, Procedures extends Record<string, AnyProcedure>>(
  domain: string,
  router: TRPCBuiltRouter<Root, Procedures>,
) {
  type Inputs = inferRouterInputs<typeof router>
  type Outputs = inferRouterOutputs<typeof router>
  const line =
    (method: RestCall['method'], status = 200) =>
    <
      Name extends keyof Procedures & keyof Outputs & keyof Inputs & string,
      Path extends `/api/${string}`,
      Schema extends z.ZodType,
    >(
      path: Parameters<Path> extends Keys<Inputs[Name]> ? Path : `not in the input of ${Name}`,
      name: Name,
      summary: string,
      response: Same<z.output<Schema>, Outputs[Name]> extends true ? Schema : { returns: Outputs[Name] },
      { operationId = `${domain}.${name}`, refuses = [] }: Partial<Pick<RestCall, 'operationId' | 'refuses'>> = {},
    ): RestCall => {
      const meta: Meta = router[name]?.meta ?? {}
      return {
        method,
        path,
        procedure: `${domain}.${name}`,
        inputs: inputsOf(router[name]),
        summary,
        response: response as z.ZodType,
        status,
        operationId,
        refuses,
        needsSession: meta.needsSession === true,
        matches: meta.matches === true,
        isCounted: true,
      }
    }
  return { get: line('GET'), post: line('POST'), create: line('POST', 201), patch: line('PATCH'), remove: line('DELETE') }
}

/** not public: tRPC has no other way to ask for a procedure's inputs. */
const inputsOf = (procedure?: AnyProcedure) => (procedure?._def.inputs ?? []).filter((input) => input instanceof z.ZodType)

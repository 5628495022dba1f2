import type { Config } from '../../config'
import type { Database } from '../../db/database'
import type { Services } from '../../server/context'

/** Given to `run` and `stream`; in a running server it is the server's own. */
export type Context = { config: Config; database: Database; services(): Promise<Services> }

/** For `file`: then nothing else is printed there. */
export const STDOUT = '-'

/** Where a command in its own process reports its progress, in words for people. */
export type Say = (text: string) => void

/** `value` names a string option's value in the help. */
type Option = { type: 'boolean' | 'string'; help: string; value?: string }
type Options = Record<string, Option>

type Given<A extends string, O extends Options> = { [K in A as K extends `${string}?` ? never : K]: string } & {
  [K in A as K extends `${infer Name}?` ? Name : never]?: string
} & { [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string }

/** `run` returns JSON; `show` prints it for people. */
type OnData<G, R> = {
  run(context: Context, given: G): Promise<R>
  show(result: R, given: G): string
  /** Runs in the command's own process, whose working directory is not the server's. */
  prepare?(given: G): G
}

/** The command's own process consumes the output of `stream`. */
type Streaming<G, R> = {
  stream(context: Context, given: G): AsyncIterable<Uint8Array>
  take(chunks: AsyncIterable<Uint8Array>, given: G, say: Say): Promise<R>
  show(result: R, given: G): string
}

/** Opens what it needs itself. Returns undefined if it keeps running, as the server does. */
type Here<G, R> = { here(given: G, say: Say): Promise<R>; show?(result: R, given: G): string }

export type Module<G = never, R = unknown> = OnData<G, R> | Streaming<G, R> | Here<G, R>

export type Command = {
  /** In order; a name that ends with ? is optional. */
  arguments: string[]
  options: Options
  help: string
  load(): Promise<Module>
}

/** A row of the table. `name` is the export of `load` that the command runs; only that module is loaded. */
export const command = <const A extends string, const O extends Options, const K extends string>(
  help: string,
  named: A[],
  options: O,
  load: () => Promise<{ [Name in K]: Module<Given<A, O>> }>,
  name: K,
): Command => ({ arguments: named, options, help, load: async () => (await load())[name] as Module })

/** The message is a sentence for the command's user; exit code 1. */
export class CommandFailed extends Error {}

/** Like CommandFailed, for wrong usage; exit code 2. */
export class WrongUsage extends Error {}

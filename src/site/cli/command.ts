import type { Config } from '../../config'
import type { Database } from '../../db/database'
import type { Services } from '../../server/context'

/** What `run` and `stream` are given; in a running server it is that server's. */
export type Context = { config: Config; database: Database; services(): Promise<Services> }

/** For `file`: then nothing else goes there. */
export const STDOUT = '-'

/** Where a command that runs in its own process says how far it is, in words for people. */
export type Say = (text: string) => void

/** `value` is what help calls that of a string. */
type Option = { type: 'boolean' | 'string'; help: string; value?: string }
type Options = Record<string, Option>

type Given<A extends string, O extends Options> = { [K in A as K extends `${string}?` ? never : K]: string } & {
  [K in A as K extends `${infer Name}?` ? Name : never]?: string
} & { [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string }

/** `run` answers with what JSON can have; `show` says it to people. */
type OnData<G, R> = {
  run(context: Context, given: G): Promise<R>
  show(result: R, given: G): string
  /** Runs in the command's own process, whose folder is another than the server's. */
  prepare?(given: G): G
}

/** The command's own process takes in what `stream` sends. */
type Streaming<G, R> = {
  stream(context: Context, given: G): AsyncIterable<Uint8Array>
  take(chunks: AsyncIterable<Uint8Array>, given: G, say: Say): Promise<R>
  show(result: R, given: G): string
}

/** Opens what it needs itself. Answers undefined if it goes on, as the server does. */
type Here<G, R> = { here(given: G, say: Say): Promise<R>; show?(result: R, given: G): string }

export type Module<G = never, R = unknown> = OnData<G, R> | Streaming<G, R> | Here<G, R>

export type Command = {
  /** In the order in which they are given; one whose name ends with ? may be missing. */
  arguments: string[]
  options: Options
  help: string
  load(): Promise<Module>
}

/** A row of the table. Only `name` of what `load` imports is typed by what is given, and only that is loaded when the command runs. */
export const command = <const A extends string, const O extends Options, const K extends string>(
  help: string,
  named: A[],
  options: O,
  load: () => Promise<{ [Name in K]: Module<Given<A, O>> }>,
  name: K,
): Command => ({ arguments: named, options, help, load: async () => (await load())[name] as Module })

/** The message is a sentence for the command's user; exit code 1. */
export class CommandFailed extends Error {}

/** As CommandFailed, if the command was given wrongly; exit code 2. */
export class WrongUsage extends Error {}

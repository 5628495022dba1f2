import type { Config } from '../../config'
import type { Database } from '../../db/database'
import type { Services } from '../../server/context'

/** What `run` and `stream` are given; in a running server it is that server's. */
export type Context = { config: Config; database: Database; services(): Promise<Services> }

/** Where a command that runs in its own process says how far it is, in words for people. */
export type Say = (text: string) => void

/** `value` is what help calls that of a string. */
type Option = { type: 'boolean' | 'string'; help: string; value?: string }
type Options = Record<string, Option>

type Given<A extends string, O extends Options> = { [K in A as K extends `${string}?` ? never : K]: string } & {
  [K in A as K extends `${infer Name}?` ? Name : never]?: string
} & { [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string }

/** What it answers, as JSON has it, is shown to people by `show`. */
type OnData<G> = {
  run(context: Context, given: G): Promise<unknown>
  show(result: unknown, given: G): string
  /** In the command's own process, whose folder is another than the server's. */
  prepare?(given: G): G
}

/** What it sends is taken in by `take` in the command's own process. */
type Streaming<G> = {
  stream(context: Context, given: G): AsyncIterable<Uint8Array>
  take(chunks: AsyncIterable<Uint8Array>, given: G, say: Say): Promise<unknown>
  show(result: unknown, given: G): string
  /** Whether what it sends goes to stdout, so that nothing else may. */
  fillsStdout?(given: G): boolean
}

/** One that opens itself what it needs; without an answer where it goes on. */
type Here<G> = { here(given: G, say: Say): Promise<unknown>; show?(result: unknown, given: G): string }

export type Module<G = never> = OnData<G> | Streaming<G> | Here<G>

export type Command = {
  /** In the order in which they are given; one whose name ends with ? may be missing. */
  arguments: string[]
  options: Options
  help: string
  load(): Promise<Module>
}

/** A row of the table. Only what `load` imports is typed by what is given, and only it is loaded when the command runs. */
export const command = <const A extends string, const O extends Options>(
  help: string,
  named: A[],
  options: O,
  load: () => Promise<Module<Given<A, O>>>,
): Command => ({ arguments: named, options, help, load: load as Command['load'] })

/** What went wrong, in a sentence for the command's user; exit code 1. */
export class CommandFailed extends Error {}

/** As above, where the command was given wrongly; exit code 2. */
export class WrongUsage extends Error {}

import type { Command } from './command'

/** What works on the data, in the server that runs or beside it. */
export const COMMANDS: Record<string, Command> = {}

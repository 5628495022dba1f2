import { type Command, command } from './command'
import { COMMANDS } from './commands'
import { helpOn, showHelp } from './help'

const START_OPTIONS = {
  dev: { type: 'boolean', help: 'Serves the page as you edit it' },
  'no-page': { type: 'boolean', help: 'Serves the API only' },
} as const

/** All that `wrk` can do, by name. */
export const TABLE: Record<string, Command> = {
  start: command('Starts the server', [], START_OPTIONS, async () => ({
    // The server reads its options itself.
    here: async () => (await import('../../main')).main(),
  })),
  ...COMMANDS,
  help: command('Lists all commands, or explains one', ['command?', 'subcommand?'], {}, async () => ({
    here: async ({ command = '', subcommand = '' }) => helpOn(TABLE, `${command} ${subcommand}`.trim()),
    show: showHelp,
  })),
}

import { type Command, command } from './command'
import { COMMANDS } from './commands'
import { helpOn, showHelp } from './help'

const START_OPTIONS = {
  dev: { type: 'boolean', help: 'Serves the page as it is edited' },
  'no-page': { type: 'boolean', help: 'Serves no page' },
} as const

/** All that `wrk` can do, by name. */
export const TABLE: Record<string, Command> = {
  start: command('Starts the server', [], START_OPTIONS, () => import('./start')),
  ...COMMANDS,
  help: command('Says what there is, or how a command is used', ['command?', 'subcommand?'], {}, async () => ({
    here: async ({ command = '', subcommand = '' }) => helpOn(TABLE, `${command} ${subcommand}`.trim()),
    show: showHelp,
  })),
}

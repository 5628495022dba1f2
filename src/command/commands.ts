import { type Command, command } from './command'

const FORCE = { force: { type: 'boolean', help: 'Writes over a file that is there' } } as const

/** What works on the data, in the server that runs or beside it. */
export const COMMANDS: Record<string, Command> = {
  backup: command(
    'Writes an archive of everything, "-" to stdout, also while the server runs',
    ['file'],
    FORCE,
    () => import('./backup'),
  ),
  restore: command('Fills an empty installation with an archive', ['file'], {}, () => import('./restore')),
}

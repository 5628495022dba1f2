import { type Command, command } from './command'
import { OPERATING } from './operating'

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
  ...OPERATING,
  database: command('Says what the database is', [], {}, () => import('./database')),
  doctor: command(
    'Looks at all that the server needs, and says what to do where something fails',
    [],
    { mail: { type: 'string', help: 'Sends a mail to this address' } },
    () => import('./doctor/doctor'),
  ),
}

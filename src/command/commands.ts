import { type Command, command } from './command'
import { OPERATING } from './operating'

/** What works on the data, in the server that runs or beside it. */
export const COMMANDS: Record<string, Command> = {
  ...OPERATING,
  database: command('Says what the database is', [], {}, () => import('./database')),
  doctor: command(
    'Looks at all that the server needs, and says what to do where something fails',
    [],
    { mail: { type: 'string', help: 'Sends a mail to this address' } },
    () => import('./doctor/doctor'),
  ),
}

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
  import: command(
    'Makes a board of a board’s archive, of JSON of Trello, Planka or WeKan, or of a CSV',
    ['file'],
    {
      user: { type: 'string', help: 'Whose board it is, which has to be said: a username, an email or a number' },
      board: { type: 'string', help: 'What it is called, if not as in the file' },
    },
    () => import('./importBoard'),
  ),
  export: command('Writes all of a board to an archive, "-" to stdout', ['board', 'file'], FORCE, () => import('./exportBoard')),
  setup: command(
    'Prints a link that makes whoever opens it the operator, where there is none; older ones end',
    [],
    {},
    () => import('./setup'),
  ),
  ...OPERATING,
  database: command('Says what the database is', [], {}, () => import('./database')),
  doctor: command(
    'Looks at all that the server needs, and says what to do where something fails',
    [],
    { mail: { type: 'string', value: 'ADDRESS', help: 'Sends a mail to this address' } },
    () => import('./doctor/doctor'),
  ),
}

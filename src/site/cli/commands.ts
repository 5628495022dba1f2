import { type Command, command } from './command'
import { OPERATOR_COMMANDS } from './operatorCommands'

const FORCE = { force: { type: 'boolean', help: 'Overwrites an existing file' } } as const

/** What works on the data, in the server that runs or beside it. */
export const COMMANDS: Record<string, Command> = {
  backup: command(
    'Writes everything to an archive, or to stdout with "-", even while the server is running',
    ['file'],
    FORCE,
    () => import('./backup'),
  ),
  restore: command('Restores an archive into an empty installation', ['file'], {}, () => import('./restore')),
  import: command(
    'Imports a board from a wrk archive, JSON from Trello, Planka or WeKan, or a CSV',
    ['file'],
    {
      user: { type: 'string', help: 'Required: the board’s creator, by username, email or id' },
      board: { type: 'string', help: 'A name, instead of the one in the file' },
    },
    () => import('./importBoard'),
  ),
  export: command(
    'Exports a board to an archive, or to stdout with "-"',
    ['board', 'file'],
    FORCE,
    () => import('./exportBoard'),
  ),
  setup: command('Prints a setup link that makes its user the operator, if there is none; it replaces older links', [], {}, () =>
    import('./users').then(({ setup }) => setup),
  ),
  ...OPERATOR_COMMANDS,
  database: command('Shows which database is in use', [], {}, () => import('./doctor/doctor').then(({ database }) => database)),
  doctor: command(
    'Checks everything the server needs, and says how to fix what fails',
    [],
    { mail: { type: 'string', value: 'ADDRESS', help: 'Sends a test email to this address' } },
    () => import('./doctor/doctor'),
  ),
}

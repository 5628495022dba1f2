import { type Command, command } from './command'

const SEARCH = { search: { type: 'string', help: 'Lists only entries that contain this text' } } as const

const FORCE = { force: { type: 'boolean', help: 'Overwrites an existing file' } } as const

/** Commands on the data, run in the running server or beside it. */
export const COMMANDS: Record<string, Command> = {
  backup: command(
    'Writes everything to an archive, or to stdout with "-", even while the server is running',
    ['file'],
    FORCE,
    () => import('./backup'),
    'backup',
  ),
  restore: command('Restores an archive into an empty installation', ['file'], {}, () => import('./backup'), 'restore'),
  import: command(
    'Imports a board from a wrk archive, JSON from Trello, Planka or WeKan, or a CSV',
    ['file'],
    {
      user: { type: 'string', help: 'Required: the board’s creator, by username, email or id' },
      board: { type: 'string', help: 'The board’s name, instead of the one in the file' },
    },
    () => import('./boards'),
    'importBoard',
  ),
  export: command(
    'Exports a board to an archive, or to stdout with "-"',
    ['board', 'file'],
    FORCE,
    () => import('./boards'),
    'exportBoard',
  ),
  setup: command(
    'Prints a setup link and invalidates older ones: the person who opens it becomes the operator, if there is none yet',
    [],
    {},
    () => import('./users'),
    'setup',
  ),
  // What operators can do on their page. WHO is a username, an email or an id.
  'user list': command('Lists users, newest first', [], SEARCH, () => import('./users'), 'list'),
  'user show': command('Shows a user', ['who'], {}, () => import('./users'), 'show'),
  'user prove': command('Marks a user’s email as confirmed', ['who'], {}, () => import('./users'), 'prove'),
  'user disable': command('Disables an account and ends its sessions', ['who'], {}, () => import('./users'), 'disable'),
  'user enable': command('Enables an account', ['who'], {}, () => import('./users'), 'enable'),
  'user delete': command(
    'Deletes an account and the boards it created; the user’s work on other boards stays under “Former member”',
    ['who'],
    { content: { type: 'boolean', help: 'Also deletes the user’s comments and files on other boards' } },
    () => import('./users'),
    'remove',
  ),
  'user pro': command(
    'Gives a user Pro without payment',
    ['who'],
    { off: { type: 'boolean', help: 'Removes Pro again' } },
    () => import('./users'),
    'pro',
  ),
  'user operator': command(
    'Makes a user an operator, who can manage the server at /operator',
    ['who'],
    { off: { type: 'boolean', help: 'Removes the role' } },
    () => import('./users'),
    'operator',
  ),
  'user email': command('Changes a user’s email and ends their sessions', ['who', 'email'], {}, () => import('./users'), 'email'),
  'user reset-link': command(
    'Prints a one-time link to sign in and set a new password',
    ['who'],
    {},
    () => import('./users'),
    'resetLink',
  ),
  'board list': command('Lists boards, newest first', [], SEARCH, () => import('./boards'), 'list'),
  'board hand-over': command('Makes a member the board’s creator', ['board', 'who'], {}, () => import('./boards'), 'handOver'),
  'mail test': command(
    'Sends a test email and prints what the mail server said',
    ['address'],
    {},
    () => import('./mails'),
    'test',
  ),
  'mail failed': command('Lists emails that could not be sent', [], {}, () => import('./mails'), 'failed'),
  'mail retry': command(
    'Resends an email that failed within the last day',
    ['mail?'],
    { all: { type: 'boolean', help: 'Resends all of them' } },
    () => import('./mails'),
    'retry',
  ),
  database: command('Shows which database is in use', [], {}, () => import('./doctor'), 'database'),
  doctor: command(
    'Checks everything the server needs, and says how to fix what fails',
    [],
    { mail: { type: 'string', value: 'ADDRESS', help: 'Sends a test email to this address' } },
    () => import('./doctor'),
    'doctor',
  ),
}

import { type Command, command } from './command'

const SEARCH = { search: { type: 'string', help: 'Only what holds this' } } as const

/** What operators do on their page. WHO is a username, an email or a number. */
export const OPERATING: Record<string, Command> = {
  'user list': command('Lists people, the newest first', [], SEARCH, () => import('./users').then(({ list }) => list)),
  'user show': command('Shows somebody', ['who'], {}, () => import('./users').then(({ show }) => show)),
  'user prove': command('Says that an email is that of whose account has it', ['who'], {}, () =>
    import('./users').then(({ prove }) => prove),
  ),
  'user disable': command('Lets somebody sign in no more, and ends their sessions', ['who'], {}, () =>
    import('./users').then(({ disable }) => disable),
  ),
  'user enable': command('Lets somebody sign in again', ['who'], {}, () => import('./users').then(({ enable }) => enable)),
  'user delete': command(
    'Deletes an account with the boards that it created; elsewhere what it did stays without a name',
    ['who'],
    { content: { type: 'boolean', help: 'Deletes its comments and files on other boards too' } },
    () => import('./users').then(({ remove }) => remove),
  ),
  'user pro': command('Gives somebody Pro without a payment', ['who'], { off: { type: 'boolean', help: 'Takes it back' } }, () =>
    import('./users').then(({ pro }) => pro),
  ),
  'user operator': command(
    'Makes somebody an operator, who has a page for all of this',
    ['who'],
    { off: { type: 'boolean', help: 'Makes them none any more' } },
    () => import('./users').then(({ operator }) => operator),
  ),
  'user email': command("Changes somebody's email, which ends their sessions", ['who', 'email'], {}, () =>
    import('./users').then(({ email }) => email),
  ),
  'user reset-link': command('Prints a link by which somebody sets a new password, once', ['who'], {}, () =>
    import('./users').then(({ resetLink }) => resetLink),
  ),
  'board list': command('Lists boards, the newest first', [], SEARCH, () => import('./boards').then(({ list }) => list)),
  'board hand-over': command('Makes a member of a board its creator', ['board', 'who'], {}, () =>
    import('./boards').then(({ handOver }) => handOver),
  ),
  'mail test': command('Sends a mail, and says what the mail server said', ['address'], {}, () =>
    import('./mails').then(({ test }) => test),
  ),
  'mail failed': command('Lists mails that were given up', [], {}, () => import('./mails').then(({ failed }) => failed)),
  'mail retry': command(
    'Sends a mail again that was given up a day ago at most',
    ['mail?'],
    { all: { type: 'boolean', help: 'Sends all of them again' } },
    () => import('./mails').then(({ retry }) => retry),
  ),
}

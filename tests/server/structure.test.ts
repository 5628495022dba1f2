import { describe, expect, test } from 'bun:test'
import { basename, dirname, join, relative } from 'node:path'
import { Glob } from 'bun'

const SRC = join(import.meta.dir, '../../src')
const files = [...new Glob('**/*.{ts,tsx}').scanSync(SRC)].toSorted()
const sources = await Promise.all(
  files.map(async (file) => {
    const text = await Bun.file(join(SRC, file)).text()
    return {
      file,
      folder: file.split('/')[0] ?? '',
      name: basename(file),
      text,
      lines: text.split('\n').length - 1,
      imports: importsOf(file, text),
    }
  }),
)

type Import = { from: string; typeOnly: boolean }

/** What a file imports from the project, as paths from src/, and from packages, as they are. */
function importsOf(file: string, text: string): Import[] {
  const statements = [...text.matchAll(/^(import|export)\s+(type\s)?(?:[^'"();]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)]
  const late = [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map((match) => ({ from: match[1] ?? '', typeOnly: false }))
  return [...statements.map((match) => ({ from: match[3] ?? '', typeOnly: Boolean(match[2]) })), ...late].map(
    ({ from, typeOnly }) => ({
      from: from.startsWith('.') ? relative(SRC, join(SRC, dirname(file), from)) : from,
      typeOnly,
    }),
  )
}

const DOMAINS = [
  ...['auth', 'users', 'boards', 'tasks', 'comments', 'attachments', 'time', 'billing', 'mail', 'account'],
  ...['activity', 'notifications', 'invitations'],
]
/** What a domain keeps on the server or on both sides; everything else in it is the page's. */
const NOT_OF_PAGE = [
  ...['inputs.ts', 'store.ts', 'router.ts', 'sessions.ts', 'oauth.ts', 'identityProviders.ts', 'passwords.ts'],
  ...['post.ts', 'transport.ts', 'letters.ts', 'telling.ts', 'unsubscribe.ts'],
  ...['files.ts', 'form.ts', 'kinds.ts', 'serving.ts', 'sweeper.ts', 'upload.ts'],
  ...['csv.ts', 'days.ts', 'overdue.ts', 'sums.ts', 'turns.ts'],
  ...['picture.ts', 'pixels.ts'],
  ...['provider.ts', 'stripe.ts', 'reading.ts', 'simulated.ts', 'syncing.ts', 'reconciling.ts', 'webhook.ts'],
]

const isPage = ({ file, folder, name }: { file: string; folder: string; name: string }) =>
  file.endsWith('.tsx') ||
  (folder === 'web' && file !== 'web/build.ts') ||
  (DOMAINS.includes(folder) && !NOT_OF_PAGE.includes(name))

const ROOMS = ['db', 'live', 'server', 'web', ...DOMAINS]

describe('the rooms of the house', () => {
  const page = sources.filter(isPage)

  test('page code takes from the rest only inputs, access rules, live messages and types', () => {
    const shared = /^(access|inputs|live\/messages|\w+(\/\w+)?\/inputs)$/
    const pageFiles = new Set(page.map(({ file }) => file.replace(/\.tsx?$/, '')))
    const strangers = page.flatMap(({ file, imports }) =>
      imports
        .filter(
          ({ from, typeOnly }) =>
            !typeOnly && existsInSrc(from) && !pageFiles.has(from.replace(/\.tsx?$/, '')) && !shared.test(from),
        )
        .map(({ from }) => `${file} imports ${from}`),
    )
    expect(strangers).toEqual([])
  })

  test('what page and server share imports nothing of the server', () => {
    const shared = sources.filter(({ file, name }) => name === 'inputs.ts' || ['access.ts', 'live/messages.ts'].includes(file))
    const strangers = shared.flatMap(({ file, imports }) =>
      imports
        .filter(({ from, typeOnly }) => !typeOnly && from !== 'zod' && !/(^|\/)inputs$/.test(from))
        .map(({ from }) => `${file} imports ${from}`),
    )
    expect(strangers).toEqual([])
  })

  test('the server imports nothing of the page, but to build and to show it', () => {
    const pageFiles = new Set(page.map(({ file }) => file.replace(/\.tsx?$/, '')))
    const strangers = sources
      .filter((source) => !isPage(source) && !['serve.ts', 'web/build.ts'].includes(source.file))
      .flatMap(({ file, imports }) =>
        imports.filter(({ from }) => pageFiles.has(from)).map(({ from }) => `${file} imports ${from}`),
      )
    expect(strangers).toEqual([])
  })

  test('only stores, the database and what serves sessions and health know Drizzle', () => {
    const may = ['app.ts', 'auth/sessions.ts']
    const strangers = sources
      .filter(({ file, folder, name }) => folder !== 'db' && name !== 'store.ts' && !may.includes(file))
      .filter(({ imports }) => imports.some(({ from, typeOnly }) => !typeOnly && from.startsWith('drizzle-orm')))
    expect(strangers.map(({ file }) => file)).toEqual([])
  })

  test('what looks rows up without a grant is known only to what makes grants, to stores, and to what announces', () => {
    const ungranted =
      /^import [^'"]*\b(findTask|boardOfTask|findComment|boardOfComment|findAttachment|findEntry|boardOfEntry|holdTimers|findBoardAsMember|findOpen|boardOfInvitation|lockBoard\w*|holdBoard|memberIds|raiseVersions?|writeActivities)\b[^'"]* from/m
    const may = ['server/grants.ts', 'server/trpc.ts', 'live/channel.ts']
    const strangers = sources.filter(({ file, name, text }) => ungranted.test(text) && name !== 'store.ts' && !may.includes(file))
    expect(strangers.map(({ file }) => file)).toEqual([])
  })

  test('only grants.ts makes grants', () => {
    const makers = sources.filter(({ text }) => /\bas (unknown as )?\w*Grant\b/.test(text))
    expect(makers.map(({ file }) => file)).toEqual(['server/grants.ts'])
  })

  test('a domain holds only its few kinds of files', () => {
    const usual = /^(inputs|store|router|cache|use[A-Z]\w*)\.ts$|\.tsx$/
    const named = [
      'activity/display.ts',
      'attachments/display.ts',
      'attachments/files.ts',
      'attachments/form.ts',
      'attachments/kinds.ts',
      'attachments/serving.ts',
      'attachments/sweeper.ts',
      'attachments/upload.ts',
      'auth/sessions.ts',
      'auth/oauth.ts',
      'auth/identityProviders.ts',
      'auth/letters.ts',
      'auth/newPassword.ts',
      'auth/passwords.ts',
      'auth/inviteRedirect.ts',
      'billing/provider.ts',
      'billing/reading.ts',
      'billing/reconciling.ts',
      'billing/syncing.ts',
      'billing/simulated.ts',
      'billing/stripe.ts',
      'billing/webhook.ts',
      'invitations/letters.ts',
      'billing/cardLook.ts',
      'mail/post.ts',
      'mail/transport.ts',
      'mail/letters.ts',
      'notifications/letters.ts',
      'notifications/telling.ts',
      'notifications/unsubscribe.ts',
      'tasks/display.ts',
      'time/changes.ts',
      'time/csv.ts',
      'time/days.ts',
      'time/display.ts',
      'time/foreseen.ts',
      'time/letters.ts',
      'time/overdue.ts',
      'time/sums.ts',
      'time/telling.ts',
      'time/turns.ts',
      'users/picture.ts',
      'users/pixels.ts',
      'users/serving.ts',
      'users/telling.ts',
      'users/upload.ts',
    ]
    const odd = sources.filter(({ file, folder, name }) => DOMAINS.includes(folder) && !usual.test(name) && !named.includes(file))
    expect(odd.map(({ file }) => file)).toEqual([])
  })

  test('there is no room for odds and ends', () => {
    const nowhere = sources.filter(({ file, folder }) => file.includes('/') && !ROOMS.includes(folder))
    const odds = sources.filter(({ name }) => /^(utils?|helpers?|index|common|misc)\.tsx?$|(Service|Manager)\.tsx?$/.test(name))
    expect([...nowhere, ...odds].map(({ file }) => file)).toEqual([])
  })

  test('no file is longer than 250 lines, but for the tables and the demonstration data', () => {
    const long = sources.filter(({ file, lines }) => lines > 250 && !['db/schema.ts', 'db/demonstration.ts'].includes(file))
    expect(long.map(({ file, lines }) => `${file}: ${lines}`)).toEqual([])
  })
})

const existsInSrc = (from: string) => files.some((file) => file === from || file.replace(/\.tsx?$/, '') === from)

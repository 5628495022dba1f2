import { afterAll, describe, expect, test } from 'bun:test'
import { basename } from 'node:path'
import type { Attachment } from '../../src/attachments/schema'
import { boardInvitations, idempotencyKeys } from '../../src/db/schema'
import type { Services } from '../../src/server/context'
import { createApp } from '../../src/site/app'
import { calls } from '../../src/site/rest'
import { appRouter } from '../../src/site/router'
import type { Answer, Browser } from '../support/browser'
import { onOneDatabase, type Server } from '../support/databases'
import { attach, formWith, PNG, uploadAvatar } from '../support/files'
import { PASSWORD, type People } from '../support/people'
import { dataFolder } from '../support/process'

/** Bob attached the file; the time is Ada's. */
type Given = People & {
  task: { id: number }
  comment: { id: number }
  file: Attachment
  entry: { id: number }
  invitationId: number
}
type Outcome = 'ok' | 400 | 401 | 403 | 404 | 409
/** What is asked, and what is answered to: nobody signed in, a stranger, a member, the creator. */
type Row = {
  input: (given: Given) => Record<string, unknown> | Promise<Record<string, unknown>>
  form?: () => FormData
  to: [Outcome, Outcome, Outcome, Outcome]
  /** Where it is answered, the next one needs another world. */
  spends?: true
  /** Tells of deleted boards on purpose. */
  listsDeleted?: true
  /** A change that has no use for an Idempotency-Key. */
  keyless?: true
}

const ofBoard = ({ board }: Given) => ({ boardId: board.id })
const ofTask = ({ task }: Given) => ({ taskId: task.id })
const ofEntry = ({ entry }: Given) => ({ entryId: entry.id })
const ofComment = ({ comment }: Given) => ({ commentId: comment.id })
const grace = { username: 'grace', email: 'grace@example.com', password: PASSWORD }

// So many mails go to one address in an hour.
const anyEmail = () => ({ email: `${crypto.randomUUID()}@example.com` })

const forEveryone: Row['to'] = ['ok', 'ok', 'ok', 'ok']
const forSignedIn: Row['to'] = [401, 'ok', 'ok', 'ok']
const forMembers: Row['to'] = [401, 404, 'ok', 'ok']
const forCreator: Row['to'] = [401, 404, 403, 'ok']

/** Every procedure has a row; a new one fails the test until it gets one. */
const rows: Record<string, Row> = {
  'auth.session': { input: () => ({}), to: forEveryone },
  'auth.options': { input: () => ({}), to: forEveryone },
  'auth.me': { input: () => ({}), to: forSignedIn },
  'auth.register': { input: () => grace, to: forEveryone, spends: true, keyless: true },
  'auth.login': { input: () => ({ username: 'bob', password: PASSWORD }), to: forEveryone, spends: true, keyless: true },
  'auth.logout': { input: () => ({}), to: forEveryone, spends: true, keyless: true },
  'auth.devLogin': { input: () => ({}), to: forEveryone, spends: true, keyless: true },
  'auth.forgotPassword': { input: anyEmail, to: forEveryone, keyless: true },
  // Theirs are confirmed; tests/auth/confirming.test.ts has others.
  'auth.confirmEmail': { input: () => ({}), to: [401, 409, 409, 409] },
  'auth.magicLink': { input: anyEmail, to: forEveryone, keyless: true },
  // Nobody holds such a link; tests/auth/links.test.ts uses real ones.
  'auth.verify': { input: () => ({ token: 'x' }), to: [401, 401, 401, 401] },
  'account.security': { input: () => ({}), to: forSignedIn },
  'account.setPassword': {
    input: () => ({ newPassword: 'correct donkey', currentPassword: PASSWORD }),
    to: forSignedIn,
    spends: true,
  },
  'account.endSession': { input: () => ({ sessionId: 'x' }), to: [401, 404, 404, 404] },
  'account.endOtherSessions': { input: () => ({}), to: forSignedIn },
  'account.delete': { input: () => ({ password: PASSWORD }), to: forSignedIn, spends: true, keyless: true },
  'users.update': { input: () => ({ name: 'Somebody' }), to: forSignedIn },
  'users.setNotifications': { input: () => ({ emailNotifications: false }), to: forSignedIn },
  'users.removeAvatar': { input: () => ({}), to: forSignedIn },
  'users.support': { input: () => ({}), to: forSignedIn },
  'users.profile': { input: () => ({ username: 'ada' }), to: forSignedIn },
  'billing.status': { input: () => ({}), to: forSignedIn },
  'billing.setUp': { input: () => ({}), to: forSignedIn, spends: true, keyless: true },
  // Nobody has subscribed; tests/billing does.
  'billing.cancel': { input: () => ({}), to: [401, 409, 409, 409] },
  'billing.resume': { input: () => ({}), to: [401, 409, 409, 409] },
  'billing.simulatePayment': { input: () => ({ clientSecret: 'x', outcome: 'paid' }), to: [401, 409, 409, 409] },
  'billing.simulatePeriodEnd': { input: () => ({}), to: [401, 409, 409, 409] },
  'boards.list': { input: () => ({}), to: forSignedIn },
  // Ada has her one free board already.
  'boards.create': { input: () => ({ name: 'Another' }), to: [401, 'ok', 'ok', 403], spends: true },
  'boards.get': { input: ofBoard, to: forMembers },
  'boards.update': { input: (given) => ({ ...ofBoard(given), name: 'Park' }), to: forCreator },
  'boards.delete': { input: ofBoard, to: forCreator, spends: true },
  'boards.deleted': { input: () => ({}), to: forSignedIn, listsDeleted: true },
  // It stands; tests/boards/deleted.test.ts brings deleted ones back.
  'boards.restore': { input: ofBoard, to: [401, 404, 404, 404], listsDeleted: true },
  'boards.addMember': { input: (given) => ({ ...ofBoard(given), username: 'eve' }), to: forMembers, spends: true },
  'boards.removeMember': { input: (given) => ({ ...ofBoard(given), userId: given.bob.id }), to: forMembers, spends: true },
  'invitations.list': { input: ofBoard, to: forMembers },
  // The creator sent it.
  'invitations.revoke': {
    input: (given) => ({ ...ofBoard(given), invitationId: given.invitationId }),
    to: forCreator,
    spends: true,
  },
  // Nobody holds such a link; tests/invitations uses real ones.
  'invitations.get': { input: () => ({ token: 'x' }), to: [404, 404, 404, 404] },
  'invitations.accept': { input: () => ({ token: 'x' }), to: [401, 404, 404, 404] },
  'invitations.legacy': { input: ofBoard, to: forEveryone },
  'invitations.acceptLegacy': { input: ofBoard, to: forMembers },
  'tasks.get': { input: ofTask, to: forMembers },
  'tasks.create': { input: (given) => ({ ...ofBoard(given), title: 'Sow' }), to: forMembers },
  'tasks.update': { input: (given) => ({ ...ofTask(given), title: 'Dug' }), to: forMembers },
  'tasks.delete': { input: ofTask, to: forCreator, spends: true },
  // Nobody has deleted it; tests/tasks/trash.test.ts does.
  'tasks.restore': { input: ofTask, to: [401, 404, 404, 404] },
  'tasks.assign': { input: (given) => ({ ...ofTask(given), userId: given.ada.id }), to: forMembers },
  'tasks.unassign': { input: (given) => ({ ...ofTask(given), userId: given.bob.id }), to: forMembers, spends: true },
  'comments.list': { input: ofTask, to: forMembers },
  'comments.create': { input: (given) => ({ ...ofTask(given), content: 'Deeper' }), to: forMembers, spends: true },
  // The comment is Ada's.
  'comments.update': { input: (given) => ({ ...ofComment(given), content: 'Deeper' }), to: forCreator },
  'comments.delete': { input: ofComment, to: forCreator, spends: true },
  'activity.task': { input: ofTask, to: forMembers },
  'activity.board': { input: ofBoard, to: forMembers },
  'notifications.list': { input: () => ({}), to: forSignedIn },
  'notifications.read': { input: () => ({}), to: forSignedIn },
  'attachments.list': { input: ofTask, to: forMembers },
  'time.ofTask': { input: ofTask, to: forMembers },
  'time.ofBoard': { input: ofBoard, to: forMembers },
  'time.report': { input: ofBoard, to: forMembers },
  'time.statement': { input: ofBoard, to: forMembers },
  'time.rates': { input: ofBoard, to: forMembers },
  'time.setRate': { input: (given) => ({ ...ofBoard(given), userId: given.bob.id, from: null, cents: 8_500 }), to: forCreator },
  'time.timers': { input: () => ({}), to: forSignedIn },
  'time.create': { input: (given) => ({ ...ofTask(given), duration: 5 }), to: forMembers },
  'time.update': { input: (given) => ({ ...ofEntry(given), duration: 5 }), to: forCreator },
  'time.confirm': { input: ofEntry, to: forCreator },
  'time.delete': { input: ofEntry, to: forCreator, spends: true },
  'attachments.delete': { input: ({ file }) => ({ attachmentId: file.id }), to: [401, 404, 'ok', 403], spends: true },
}

/** Paths that are no line of the REST table. */
const special: Record<string, Row & { status: number }> = {
  'GET /api/boards/:boardId/snapshot': { input: ofBoard, to: forMembers, status: 200 },
  'GET /api/boards/:boardId/time.csv': { input: ofBoard, to: forMembers, status: 200 },
  // It stands; tests/boards/deleted.test.ts asks for the hours of deleted ones.
  'GET /api/boards/:boardId/my-hours.csv': { input: ofBoard, to: [401, 404, 404, 404], status: 200, listsDeleted: true },
  'GET /api/boards/:boardId/tasks': { input: ofBoard, to: forMembers, status: 200 },
  'POST /api/attachments/:taskId': { input: ofTask, form: () => formWith(PNG, 'dot.png'), to: forMembers, status: 201 },
  'GET /uploads/:name': { input: ({ file }) => ({ name: file.filename }), to: forMembers, status: 200 },
  // Set up without Stripe; tests/billing is with it.
  'POST /api/stripe/webhook': { input: () => ({}), to: [404, 404, 404, 404], status: 200 },
  // Without a link; tests/notifications uses one.
  'POST /unsubscribe': { input: () => ({}), to: [400, 400, 400, 400], status: 200 },
  'POST /api/upload/avatar': { input: () => ({}), form: () => formWith(PNG, 'dot.png', 'avatar'), to: forSignedIn, status: 201 },
  'GET /uploads/avatars/:name': {
    input: async ({ bob }) => ({ name: basename(await uploadAvatar(bob)) }),
    to: forSignedIn,
    status: 200,
  },
  'GET /api/auth/verify': { input: () => ({}), to: [401, 401, 401, 401], status: 200 },
  'GET /api/account/data': { input: () => ({}), to: forSignedIn, status: 200 },
  // Set up for no provider; tests/auth/oauth.test.ts is.
  'GET /api/auth/oauth/:provider': { input: () => ({ provider: 'oidc' }), to: [404, 404, 404, 404], status: 302 },
  'GET /api/auth/oauth/:provider/callback': { input: () => ({ provider: 'oidc' }), to: [404, 404, 404, 404], status: 302 },
  'GET /api/auth/dev-login': { input: () => ({}), to: forEveryone, status: 302, spends: true },
  'GET /api/docs': { input: () => ({}), to: forEveryone, status: 200 },
  'GET /api/docs/openapi.json': { input: () => ({}), to: forEveryone, status: 200 },
  'GET /health': { input: () => ({}), to: forEveryone, status: 200 },
  // No socket is asked for here; tests/live opens them.
  'GET /ws': { input: () => ({}), to: forSignedIn, status: 426 },
}
/** Paths that lead to the above, or to nothing. */
const general = ['GET /trpc/*', 'POST /trpc/*', 'GET /api/*', 'ALL /api/*']

// The router's own types hide its list of procedures.
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: 'query' | 'mutation' } }>

describe('the walk', () => {
  test('knows every procedure, and none that is gone', () => {
    expect(Object.keys(rows).toSorted()).toEqual(Object.keys(procedures).toSorted())
  })

  test('knows every path', () => {
    // The paths are only listed: nothing asks anything of the parts.
    const { app } = createApp({} as Services, null)
    const served = app.routes.map(({ method, path }) => `${method} ${path}`)
    const known = [...calls.map(({ method, path }) => `${method} ${path}`), ...Object.keys(special), ...general]
    expect(served.toSorted()).toEqual(known.toSorted())
  })
})

const folder = await dataFolder()
afterAll(folder.remove)

const worlds = new WeakMap<Server, Promise<Given>>()

/** A board as each finds it. */
function worldOf(server: Server): Promise<Given> {
  const world = worlds.get(server) ?? newWorld(server)
  worlds.set(server, world)
  return world
}

async function newWorld(server: Server) {
  await server.clear()
  const people = await server.people()
  const task = await people.ada.api.tasks.create.mutate({ boardId: people.board.id, title: 'Dig' })
  await people.ada.api.tasks.assign.mutate({ taskId: task.id, userId: people.bob.id })
  const comment = await people.ada.api.comments.create.mutate({ taskId: task.id, content: 'Where?' })
  const file = await attach(people.bob, task.id)
  const invitationId = await invitedTo(server, people)
  await people.ada.api.time.create.mutate({ taskId: task.id, duration: 30 })
  const entry = await people.ada.api.time.create.mutate({ taskId: task.id, status: 'ACTIVE' })
  return { ...people, task, comment, file, entry, invitationId }
}

const WHO = ['nobody', 'a stranger', 'a member', 'the creator']
type Asking = (browser: Browser, input: Record<string, unknown>, headers?: Record<string, string>) => ReturnType<Browser['http']>

/** Whatever is spent is made anew for the next one; a refusal changes nothing, or the next one finds out. */
async function asEach(server: Server, row: Row, status: number, reads: boolean, ask: Asking) {
  for (const [i, outcome] of row.to.entries()) {
    const world = await worldOf(server)
    const who = [world.nobody, world.eve, world.bob, world.ada][i] ?? world.nobody
    const input = await row.input(world)
    const ends = !reads && !row.keyless && outcome === 'ok'
    const answer = ends ? await askTwice(server, who, input, ask) : await ask(who, input)
    expect([WHO[i], answer.status]).toEqual([WHO[i], outcome === 'ok' ? status : outcome])
    if (outcome !== 'ok' && !answer.text.startsWith('{"error"'))
      expect(answer.body).toMatchObject({ message: expect.any(String), code: expect.any(String) })
    if (outcome === 'ok' && row.spends) worlds.delete(server)
  }
}

/** A change that is asked for again under its key answers the same, and happens once. */
async function askTwice({ db }: Server, who: Browser, input: Record<string, unknown>, ask: Asking) {
  const key = { 'idempotency-key': crypto.randomUUID() }
  const before = await db.$count(idempotencyKeys)
  const answer = await ask(who, input, key)
  const again = await ask(who, input, key)
  const said = ({ status, text, headers }: Answer) => [status, text, headers.get('x-board-version'), headers.get('etag')]
  expect(said(again)).toEqual(said(answer))
  expect(await db.$count(idempotencyKeys)).toBe(before + (answer.status < 400 ? 1 : 0))
  return answer
}

onOneDatabase(
  'the walk',
  (server) => {
    for (const [name, row] of Object.entries(rows)) {
      const reads = procedures[name]?._def.type === 'query'
      test(`${name} answers each as it should`, () =>
        asEach(server, row, 200, reads, (browser, input, headers) =>
          reads
            ? browser.http('GET', `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`)
            : browser.http('POST', `/trpc/${name}`, input, headers),
        ))
    }
  },
  { DATA_DIR: folder.path },
  { kept: true },
)

// These lead to the same procedures: no database has a part in that.
onOneDatabase(
  'the walk by path',
  (server) => {
    for (const call of calls)
      test(`${call.method} ${call.path} answers each as ${call.procedure} does`, () => {
        const row = rows[call.procedure]
        if (!row) throw new Error(`no row for ${call.procedure}`)
        return asEach(server, row, call.status, call.method === 'GET', (browser, input, headers) =>
          ask(browser, call, input, undefined, headers),
        )
      })

    for (const [key, row] of Object.entries(special)) {
      const [method = '', path = ''] = key.split(' ')
      test(`${key} answers each as it should`, () =>
        asEach(server, row, row.status, method === 'GET', (browser, input, headers) =>
          ask(browser, { method, path }, input, row.form?.(), headers),
        ))
    }
  },
  { DATA_DIR: folder.path },
  { kept: true },
)

/** Of nothing on a board, or of whatever somebody has. */
const isOfBoard = ({ to }: Row, input: object) =>
  to[1] === 404 || Object.keys(input).some((name) => name.endsWith('Id') && name !== 'sessionId')

onOneDatabase(
  'the walk around a deleted board',
  (server) => {
    /** Its name, its task, its texts and its file stand nowhere else. */
    async function deletedWorld() {
      const world = await worldOf(server)
      if (!(await world.ada.api.boards.list.query()).length) return world
      await world.ada.api.boards.delete.mutate({ boardId: world.board.id })
      return world
    }

    async function findsNothing(row: Row, reads: boolean, ask: Asking) {
      const world = await deletedWorld()
      for (const who of [world.bob, world.ada]) {
        const input = await row.input(world)
        if (isOfBoard(row, input)) expect([who.user.username, (await ask(who, input)).status]).toEqual([who.user.username, 404])
        else if (reads) expect((await ask(who, input)).text).not.toMatch(/Garden|Dig/)
      }
    }

    for (const [name, row] of Object.entries(rows).filter(([, { listsDeleted }]) => !listsDeleted)) {
      const reads = procedures[name]?._def.type === 'query'
      test(`${name} finds nothing of it`, () =>
        findsNothing(row, reads, (browser, input) =>
          reads
            ? browser.http('GET', `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`)
            : browser.http('POST', `/trpc/${name}`, input),
        ))
    }

    for (const [key, row] of Object.entries(special).filter(([, { listsDeleted }]) => !listsDeleted)) {
      const [method = '', path = ''] = key.split(' ')
      test(`${key} finds nothing of it`, () =>
        findsNothing(row, method === 'GET' && !row.spends, (browser, input) =>
          ask(browser, { method, path }, input, row.form?.()),
        ))
    }
  },
  { DATA_DIR: folder.path },
  { kept: true },
)

/** Puts the input where the call takes it: into the path, and the rest into the body. */
function ask(
  browser: Browser,
  { method, path }: { method: string; path: string },
  input: Record<string, unknown>,
  form?: FormData,
  headers?: Record<string, string>,
) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => String(input[name]))
  return browser.http(method, filled, method === 'GET' ? undefined : (form ?? input), headers)
}

async function invitedTo({ db }: Server, { ada, board }: People): Promise<number> {
  const facts = { token: crypto.randomUUID(), boardId: board.id, email: 'new@example.com', invitedBy: ada.id }
  const [row] = await db
    .insert(boardInvitations)
    .values({ ...facts, expiresAt: new Date(Date.now() + 60_000) })
    .returning()
  if (!row) throw new Error('the new invitation was not returned')
  return row.id
}

import { basename } from 'node:path'
import { formWith, PNG, uploadAvatar } from './files'
import { PASSWORD } from './people'
import type { Given } from './world'

type Outcome = 'ok' | 400 | 401 | 403 | 404 | 409
/** What is asked, and what is answered to: nobody signed in, a stranger, a member, the creator. */
export type Row = {
  input: (given: Given) => Record<string, unknown> | Promise<Record<string, unknown>>
  form?: () => FormData
  to: [Outcome, Outcome, Outcome, Outcome]
  /** To an operator, who is no member; as to a stranger where it is not said. */
  operator?: Outcome
  /** Where it is answered, the next one needs another world. */
  spends?: true
  /** Tells of deleted boards on purpose. */
  listsDeleted?: true
  /** A change that has no use for an Idempotency-Key. */
  keyless?: true
}

const ofBob = ({ bob }: Given) => ({ userId: bob.id })
/** With an operator's own password. */
const sureOfBob = ({ bob }: Given) => ({ userId: bob.id, password: PASSWORD })
const ofBoard = ({ board }: Given) => ({ boardId: board.id })
const ofTask = ({ task }: Given) => ({ taskId: task.id })
const ofEntry = ({ entry }: Given) => ({ entryId: entry.id })
const ofComment = ({ comment }: Given) => ({ commentId: comment.id })
const grace = { username: 'grace', email: 'grace@example.com', password: PASSWORD }

const planka = { url: 'http://127.0.0.1:1', apiKey: 'x' }

// So many mails go to one address in an hour.
const anyEmail = () => ({ email: `${crypto.randomUUID()}@example.com` })

const forEveryone: Row['to'] = ['ok', 'ok', 'ok', 'ok']
const forSignedIn: Row['to'] = [401, 'ok', 'ok', 'ok']
const forMembers: Row['to'] = [401, 404, 'ok', 'ok']
const forOperator: Pick<Row, 'to' | 'operator'> = { to: [401, 404, 404, 404], operator: 'ok' }
const forCreator: Row['to'] = [401, 404, 403, 'ok']

/** Every procedure has a row; a new one fails tests/server/walk.test.ts until it gets one. */
export const rows: Record<string, Row> = {
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
  // Nobody has such a link; tests/auth/setup.test.ts makes some.
  'auth.setUp': { input: () => ({ token: 'x' }), to: [401, 404, 404, 404] },
  'account.security': { input: () => ({}), to: forSignedIn },
  'account.setPassword': {
    input: () => ({ newPassword: 'correct donkey', currentPassword: PASSWORD }),
    to: forSignedIn,
    spends: true,
  },
  'account.changeEmail': { input: () => ({ ...anyEmail(), password: PASSWORD }), to: forSignedIn },
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
  'billing.unpaidInvoice': { input: () => ({}), to: [401, 409, 409, 409], keyless: true },
  'billing.cancel': { input: () => ({}), to: [401, 409, 409, 409] },
  'billing.resume': { input: () => ({}), to: [401, 409, 409, 409] },
  'billing.simulatePayment': { input: () => ({ clientSecret: 'x', outcome: 'paid' }), to: [401, 409, 409, 409] },
  'billing.simulatePeriodEnd': { input: () => ({}), to: [401, 409, 409, 409] },
  'boards.list': { input: () => ({}), to: forSignedIn },
  // Ada has her one free board already.
  'boards.arrange': { input: ({ board }) => ({ pinned: [board.id], others: [] }), to: forSignedIn },
  'boards.create': { input: () => ({ name: 'Another' }), to: [401, 'ok', 'ok', 403], spends: true },
  'boardStarters.example': { input: () => ({}), to: [401, 'ok', 'ok', 403], spends: true },
  'boardStarters.fromList': {
    input: () => ({ name: 'Another', list: '- [x] Dig\n- [ ] Sow' }),
    to: [401, 'ok', 'ok', 403],
    spends: true,
  },
  'boards.get': { input: ofBoard, to: forMembers },
  'boards.update': { input: (given) => ({ ...ofBoard(given), name: 'Park' }), to: forCreator },
  'boards.delete': { input: ofBoard, to: forCreator, spends: true },
  'boards.deleted': { input: () => ({}), to: forSignedIn, listsDeleted: true },
  // It stands; tests/boards/deleted.test.ts brings deleted ones back.
  'boards.restore': { input: ofBoard, to: [401, 404, 404, 404], listsDeleted: true },
  'boards.deleteForGood': { input: ofBoard, to: [401, 404, 404, 404], listsDeleted: true },
  'boards.addMember': { input: (given) => ({ ...ofBoard(given), username: 'eve' }), to: forMembers, spends: true },
  'boards.removeMember': { input: (given) => ({ ...ofBoard(given), userId: given.bob.id }), to: forMembers, spends: true },
  'invitations.list': { input: ofBoard, to: forMembers },
  // The creator sent it.
  'invitations.makeLink': { input: ofBoard, to: forMembers, spends: true, keyless: true },
  'invitations.revoke': {
    input: (given) => ({ ...ofBoard(given), invitationId: given.invitationId }),
    to: forCreator,
    spends: true,
  },
  // Nobody holds such a link; tests/invitations uses real ones.
  'invitations.get': { input: () => ({ token: 'x' }), to: [404, 404, 404, 404] },
  'invitations.accept': { input: () => ({ token: 'x' }), to: [401, 404, 404, 404] },
  'invitations.decline': { input: () => ({ token: 'x' }), to: [404, 404, 404, 404] },
  'invitations.legacy': { input: ofBoard, to: forEveryone },
  'invitations.acceptLegacy': { input: ofBoard, to: forMembers },
  // None of them is invited; tests/invitations/leaving.test.ts has who is.
  'invitations.declineLegacy': { input: ofBoard, to: [401, 404, 404, 404] },
  'tasks.get': { input: ofTask, to: forMembers },
  'tasks.create': { input: (given) => ({ ...ofBoard(given), title: 'Sow' }), to: forMembers },
  'tasks.update': { input: (given) => ({ ...ofTask(given), title: 'Dug' }), to: forMembers },
  'tasks.delete': { input: ofTask, to: forCreator, spends: true },
  'tasks.deleted': { input: ofBoard, to: forMembers },
  // Nobody has deleted it; tests/tasks/trash.test.ts does.
  'tasks.restore': { input: ofTask, to: [401, 404, 404, 404] },
  'tasks.assign': { input: (given) => ({ ...ofTask(given), userId: given.ada.id }), to: forMembers },
  'tasks.unassign': { input: (given) => ({ ...ofTask(given), userId: given.bob.id }), to: forMembers, spends: true },
  'comments.list': { input: ofTask, to: forMembers },
  'comments.create': { input: (given) => ({ ...ofTask(given), content: 'Deeper' }), to: forMembers, spends: true },
  // The comment is Ada's.
  'comments.update': { input: (given) => ({ ...ofComment(given), content: 'Deeper' }), to: forCreator },
  'comments.delete': { input: ofComment, to: forCreator, spends: true },
  // Nobody has deleted it; tests/tasks/deletedRows.test.ts does, and the two below.
  'comments.restore': { input: ofComment, to: [401, 404, 404, 404] },
  'time.restore': { input: ofEntry, to: [401, 404, 404, 404] },
  'attachments.restore': { input: ({ file }) => ({ attachmentId: file.id }), to: [401, 404, 404, 404] },
  'operator.users': { input: () => ({ search: 'ada' }), ...forOperator },
  'operator.user': { input: ofBob, ...forOperator },
  'operator.boards': { input: () => ({ search: 'garden' }), ...forOperator },
  'operator.members': { input: ofBoard, ...forOperator },
  'operator.invitations': { input: () => ({ search: 'ne' }), ...forOperator },
  'operator.mails': { input: () => ({}), ...forOperator },
  'operator.state': { input: () => ({}), ...forOperator },
  'operator.prove': { input: sureOfBob, ...forOperator },
  'operator.disable': { input: ofBob, ...forOperator, spends: true },
  'operator.enable': { input: ofBob, ...forOperator },
  'operator.setPlan': { input: (given) => ({ ...ofBob(given), isPro: true }), ...forOperator, spends: true },
  'operator.setOperator': { input: (given) => ({ ...sureOfBob(given), operator: true }), ...forOperator, spends: true },
  'operator.setEmail': { input: (given) => ({ ...sureOfBob(given), ...anyEmail() }), ...forOperator, spends: true },
  'operator.deleteUser': { input: sureOfBob, ...forOperator, spends: true },
  'operator.resetLink': { input: sureOfBob, ...forOperator, keyless: true },
  'operator.handOver': { input: (given) => ({ ...ofBoard(given), ...sureOfBob(given) }), ...forOperator, spends: true },
  'operator.revokeInvitation': { input: ({ invitationId }) => ({ invitationId }), ...forOperator, spends: true },
  // No mail has failed; tests/operator has some.
  'operator.retryMail': { input: () => ({ mailId: 1 }), ...forOperator, operator: 404 },
  'operator.retryMails': { input: () => ({}), ...forOperator, operator: 409 },
  'operator.testMail': { input: () => ({ to: 'olga@example.com' }), ...forOperator, keyless: true },
  'finder.find': { input: () => ({ text: 'Dig' }), to: forSignedIn },
  'activity.task': { input: ofTask, to: forMembers },
  'activity.board': { input: ofBoard, to: forMembers },
  'notifications.list': { input: () => ({}), to: forSignedIn },
  'notifications.read': { input: () => ({}), to: forSignedIn },
  'attachments.list': { input: ofTask, to: forMembers },
  'today.get': { input: () => ({}), to: forSignedIn },
  'time.ofTask': { input: ofTask, to: forMembers },
  'time.ofBoard': { input: ofBoard, to: forMembers },
  'time.report': { input: ofBoard, to: forMembers },
  'time.statement': { input: ofBoard, to: forMembers },
  'time.rates': { input: ofBoard, to: forMembers },
  'time.setRate': { input: (given) => ({ ...ofBoard(given), userId: given.bob.id, from: null, cents: 8_500 }), to: forCreator },
  'time.timers': { input: () => ({}), to: forSignedIn },
  'time.mine': { input: () => ({}), to: forSignedIn },
  'time.create': { input: (given) => ({ ...ofTask(given), duration: 5 }), to: forMembers },
  'time.update': { input: (given) => ({ ...ofEntry(given), duration: 5 }), to: forCreator },
  'time.confirm': { input: ofEntry, to: forCreator },
  // It runs as it is; tests/time/timers.test.ts stops one.
  'time.unstop': { input: (given) => ({ ...ofEntry(given), status: 'ACTIVE' }), to: forCreator },
  'time.delete': { input: ofEntry, to: forCreator, spends: true },
  'imports.list': { input: () => ({}), to: forSignedIn },
  // Nobody has uploaded anything; tests/imports does.
  'imports.get': { input: () => ({ importId: 1 }), to: [401, 404, 404, 404] },
  'imports.start': { input: () => ({ importId: 1, choices: { name: 'Moved' } }), to: [401, 404, 404, 404] },
  'imports.reread': { input: () => ({ importId: 1, reading: {} }), to: [401, 404, 404, 404] },
  'imports.cancel': { input: () => ({ importId: 1 }), to: [401, 404, 404, 404] },
  'imports.names': { input: ofBoard, to: forMembers },
  // No name came with an import; tests/imports/joining.test.ts has some.
  'imports.offerName': { input: (given) => ({ ...ofBoard(given), nameId: 1, userId: null }), to: [401, 404, 403, 404] },
  'imports.answerName': { input: (given) => ({ ...ofBoard(given), nameId: 1, isMine: true }), to: [401, 404, 404, 404] },
  'imports.declineNames': { input: (given) => ({ ...ofBoard(given), nameIds: [1] }), to: [401, 404, 404, 404] },
  // No Planka answers here; tests/imports has one.
  'imports.plankaBoards': { input: () => planka, to: [401, 400, 400, 400], keyless: true },
  'imports.fromPlanka': { input: () => ({ ...planka, boardId: '1' }), to: [401, 400, 400, 400] },
  'attachments.delete': { input: ({ file }) => ({ attachmentId: file.id }), to: [401, 404, 'ok', 403], spends: true },
}

/** Paths that are no line of the REST table. */
export const special: Record<string, Row & { status: number }> = {
  'GET /api/boards/:boardId/snapshot': { input: ofBoard, to: forMembers, status: 200 },
  'GET /api/boards/:boardId/time.csv': { input: ofBoard, to: forMembers, status: 200 },
  'GET /api/boards/:boardId/archive': { input: ofBoard, to: forCreator, status: 200 },
  // It stands; tests/boards/deleted.test.ts asks for the hours of deleted ones.
  'GET /api/boards/:boardId/my-hours.csv': { input: ofBoard, to: [401, 404, 404, 404], status: 200, listsDeleted: true },
  'GET /api/boards/:boardId/tasks': { input: ofBoard, to: forMembers, status: 200 },
  'POST /api/attachments/:taskId': { input: ofTask, form: () => formWith(PNG, 'dot.png'), to: forMembers, status: 201 },
  'GET /uploads/:name': { input: ({ file }) => ({ name: file.filename }), to: forMembers, status: 200 },
  // Set up without Stripe; tests/billing is with it.
  'POST /api/stripe/webhook': { input: () => ({}), to: [404, 404, 404, 404], status: 200 },
  // Without a link; tests/notifications uses one.
  'POST /unsubscribe': { input: () => ({}), to: [400, 400, 400, 400], status: 200 },
  'POST /api/imports': { input: () => ({}), to: [401, 400, 400, 400], status: 201 },
  'POST /api/upload/avatar': { input: () => ({}), form: () => formWith(PNG, 'dot.png', 'avatar'), to: forSignedIn, status: 201 },
  'GET /uploads/avatars/:name': {
    input: async ({ bob }) => ({ name: basename(await uploadAvatar(bob)) }),
    to: forSignedIn,
    status: 200,
  },
  'GET /api/auth/verify': { input: () => ({}), to: [401, 401, 401, 401], status: 200 },
  'GET /api/account/data': { input: () => ({}), to: forSignedIn, status: 200 },
  'GET /api/account/archive': { input: () => ({}), to: forSignedIn, status: 200 },
  // Set up for no provider; tests/auth/oauth.test.ts is.
  'GET /api/auth/oauth/:provider': { input: () => ({ provider: 'oidc' }), to: [404, 404, 404, 404], status: 302 },
  'GET /api/auth/oauth/:provider/callback': { input: () => ({ provider: 'oidc' }), to: [404, 404, 404, 404], status: 302 },
  'GET /api/auth/dev-login': { input: () => ({}), to: forEveryone, status: 302, spends: true },
  'GET /api/source': { input: () => ({}), to: forEveryone, status: 200 },
  'GET /api/docs': { input: () => ({}), to: forEveryone, status: 200 },
  'GET /api/docs/openapi.json': { input: () => ({}), to: forEveryone, status: 200 },
  'GET /health': { input: () => ({}), to: forEveryone, status: 200 },
  'GET /ready': { input: () => ({}), to: forEveryone, status: 200 },
  // Without METRICS_TOKEN; tests/server/metrics.test.ts has one.
  'GET /metrics': { input: () => ({}), to: [404, 404, 404, 404], status: 200 },
  // No socket is asked for here; tests/live opens them.
  'GET /ws': { input: () => ({}), to: forEveryone, status: 426 },
}
